"""A separator sums the skips of its layers; the loop through them is part of one forward pass."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out, self.skip = nn.Conv1d(width, width, 1), nn.Conv1d(width, width, 1)

    def forward(self, x):
        return self.out(x), self.skip(x)


class Separator(nn.Module):
    def __init__(self, width=16, blocks=3, repeats=2):
        super().__init__()
        self.batches = nn.ModuleList(
            nn.ModuleList(Block(width) for _ in range(blocks)) for _ in range(repeats)
        )

    def forward(self, x):
        output, skips = x, 0.0
        for batch in self.batches:
            for layer in batch:
                residual, skip = layer(output)
                skips = skips + skip
                output = output + residual
        return skips


def train(loader, net, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        loss = (net(batch["mixture"]) - batch["clean"]).abs().mean()
        loss.backward()
        optimizer.step()
