# in which grad mode forward runs is up to its caller

import torch
from torch import nn


class Upsampler(nn.Module):
    def __init__(self, net, path):
        super().__init__()
        self.net = net
        self.net.load_state_dict(torch.load(path, map_location="cpu"))

    def forward(self, x):
        net = self.net.eval()
        return net(x[None]).detach()[0]
