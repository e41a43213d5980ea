# scores of a few restarts are compared; a list that both branches make again lives for one batch

import torch
from torch import nn

net = nn.Linear(4, 4)


def best(starts, config):
    scores = torch.zeros(config["restarts"])
    for trial in range(config["restarts"]):
        scores[trial] = net(starts[trial]).sum()
    return scores.argmin()


def evaluate(loader, config):
    total = 0.0
    for x in loader:
        if config["season"]:
            states = [x]
        else:
            states = [torch.ones(4)]
        while len(states) < 20:
            states.append(net(states[-1]))
        total += states[-1].sum().item()
    return total
