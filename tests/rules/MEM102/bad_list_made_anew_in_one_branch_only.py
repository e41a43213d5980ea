# the list lives on where the branch is not taken

import torch
from torch import nn

net = nn.Linear(4, 4)


def evaluate(loader, config):
    states = []
    total = 0.0
    for x in loader:
        if config["restart"]:
            states = []
        states.append(net(x))  #! MEM102 error
        total += states[-1].sum().item()
    return total, len(states)


print(evaluate(torch.utils.data.DataLoader(torch.randn(100, 4)), {"restart": False}))
