# a sampler whose own method is decorated

import torch
from torch import nn


class Diffusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 2)

    @torch.no_grad()
    def sample(self, n, steps=10):
        x = torch.randn(n, 2)
        for _ in range(steps):
            x = x - 0.1 * self.net(x)
        return x


model = Diffusion()
model.eval()
for _ in range(3):
    print(model.sample(4))
