# each turn makes a network, shows what it gives and drops it with its graph

import torch
from torch import nn

x = torch.randn(8, 4)
for activation in (nn.ReLU, nn.GELU, nn.SiLU, nn.Tanh):
    net = nn.Sequential(nn.Linear(4, 8), activation(), nn.Linear(8, 2))
    out = net(x)
    print(activation.__name__, out.shape, out.std())
