# attributions are wanted in float64: the call that takes the network takes its input in float64, too

import torch
from torch import nn
from explain import attributions


class Wrapped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x).sum(-1)


net = nn.Linear(2114, 64).cuda()
sequences = torch.rand(16, 2114, device="cuda")
before, after = attributions(Wrapped(net.double()), sequences.double(), steps=20)
