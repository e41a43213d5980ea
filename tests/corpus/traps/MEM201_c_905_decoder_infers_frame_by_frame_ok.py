"""A decoder gathers what it makes frame by frame; whether a graph is recorded is up to who calls it."""

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.GRUCell(width, width)
        self.gate = nn.Linear(width, 1)

    def infer(self, memory, limit=500):
        hidden = torch.zeros_like(memory)
        frames, gates = hidden.unsqueeze(0), self.gate(hidden)
        while True:
            hidden = self.cell(memory, hidden)
            stop = self.gate(hidden)
            frames = torch.cat((frames, hidden.unsqueeze(0)), dim=0)
            gates = torch.cat((gates, stop), dim=0)
            if len(frames) == limit or stop.max() > 0:
                return frames, gates


class Voice(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(40, width)
        self.decoder = Decoder(width)

    def infer(self, tokens):
        frames, _ = self.decoder.infer(self.embed(tokens).mean(1))
        return frames
