# one linear layer, but one of half a billion weights

import copy

import torch
from torch import nn


def train(batches, epochs):
    head, best, best_state = nn.Linear(4096, 128000).cuda(), float("inf"), None
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(epochs):
        total = 0.0
        for x, y in batches:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(head(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
            total += loss.item()
        if total < best:
            best, best_state = total, copy.deepcopy(head.state_dict())  #! MEM704 warning
    head.load_state_dict(best_state)
    return head
