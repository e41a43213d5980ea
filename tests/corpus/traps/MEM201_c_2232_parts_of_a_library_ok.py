# methods of a library's networks: the layers in the loops give what callers train with, whatever the calls on
# the way are named
from dataclasses import dataclass

import torch
from networks import Blend, apply_to_list
from torch import nn


@dataclass
class ParamItem:
    name: str
    data: object


class TemporalStack(nn.Module):
    def __init__(self, layers, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
        self.times = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
        self.time_mixer = Blend(alpha=0.5)

    def forward(self, states):
        for layer, time in zip(self.layers, self.times):
            states = layer(states)
            mixed = time(states + 1)
            states = self.time_mixer(states, mixed)
        return (states,)


class Heads(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.projectors = nn.ModuleList([nn.Linear(32, size) for size in sizes])

    def decode_all(self, states):
        return [projector(states) for projector in self.projectors]

    def decode(self, states):
        return apply_to_list(self.decode_all(states), lambda x: x[:, 0])


class Pipeline(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = nn.ModuleDict(steps)

    def forward_parameters(self, shape):
        found = []
        for name, module in self.steps.items():
            found.append(ParamItem(name, module.forward_parameters(shape)))
        return found
