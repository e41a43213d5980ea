"""Layers of a transformer that torch has, with a flag that goes along."""

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.width = width
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(width, 8) for _ in range(depth)])
        self.head = nn.Linear(width, 1000)

    def forward(self, tokens, target):
        h = tokens
        for layer in self.layers:
            h = layer(h, is_causal=True)  #! MEM801 advice
        return F.cross_entropy(self.head(h), target)


def train(loader, depth):
    model = Encoder(depth, 512).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    for x, y in loader:
        model(x.to("cuda"), y.to("cuda")).backward()
        optimizer.step()
        optimizer.zero_grad()
