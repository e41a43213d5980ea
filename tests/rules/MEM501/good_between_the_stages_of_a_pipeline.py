# The forward pass is a pipeline of stages: after each its network is moved away, and its memory given back.

import torch
from torch import nn


class Sampler(nn.Module):
    def __init__(self, prior, decoder, offload_device):
        super().__init__()
        self.prior, self.decoder, self.offload_device = prior, decoder, offload_device

    @torch.no_grad()
    def forward(self, prompts):
        x = torch.randn(len(prompts), 512, device="cuda")
        for t in range(999, 0, -1):
            x = self.prior(x, t)
        self.prior.to(self.offload_device)
        torch.cuda.empty_cache()
        y = torch.randn(len(prompts), 3, 64, 64, device="cuda")
        for t in range(999, 0, -1):
            y = self.decoder(y, t, x)
        return y
