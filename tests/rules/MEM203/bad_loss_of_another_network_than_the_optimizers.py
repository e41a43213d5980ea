# under no_grad nothing of the loss would have a graph, and its backward() would raise: no fix

import copy

import torch
from torch import nn
from torch.nn import functional as F


def fit(loader):
    net = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
    copied = copy.deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        logits = copied(x.cuda())  #! MEM203 warning
        loss = F.cross_entropy(logits, y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
