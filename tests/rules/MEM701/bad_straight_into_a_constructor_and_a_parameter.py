# a checkpoint goes straight into a constructor that loads it, or into the data of a parameter

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, state=None):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        if state is not None:
            self.load_state_dict(state)

    @classmethod
    def from_file(cls, path):
        return cls(torch.load(path))  #! MEM701 warning


def restore(path):
    return Encoder(torch.load(path)["encoder"]).cuda()  #! MEM701 warning


def put_back(net, path):
    net.layer.weight.data.copy_(torch.load(path))  #! MEM701 warning


def on_the_host(path):
    return Encoder(torch.load(path, map_location="cpu")).cuda()
