# a mask is cast inside forward

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(8, 8)

    def forward(self, x, mask):
        scores = self.q(x) @ x.transpose(-1, -2)
        bias = (1.0 - mask.half()) * -1e4
        return (scores + bias.to(scores.dtype)).softmax(-1) @ x


model = Attention()
opt = torch.optim.AdamW(model.parameters())
for x in torch.randn(10, 2, 4, 8):
    opt.zero_grad()
    model(x, torch.ones(2, 1, 4)).pow(2).mean().backward()
    opt.step()
