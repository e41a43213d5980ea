# cycle over things that are small

from itertools import cycle

import torch

colours = cycle(["red", "green", "blue"])
rates = cycle((1e-3, 1e-4))
net = torch.nn.Linear(4, 4)
for name, parameter in net.named_parameters():
    print(name, next(colours), next(rates), parameter.shape)
