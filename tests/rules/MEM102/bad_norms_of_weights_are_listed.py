# norms of weights, and weights in one vector, are computed beside the loss: each keeps its graph

import torch
from torch import nn


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    norms, states, clipped, plain, steps = [], [], [], [], []
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        clipped.append(nn.utils.clip_grad_norm_(model.parameters(), 1.0))
        steps.append([p.grad.norm() for p in model.parameters()])
        optimizer.step()
        norms.append([p.norm() for p in model.parameters()])  #! MEM102
        states.append(torch.cat([p.view(-1) for p in model.parameters()]))  #! MEM102
        plain.append(sum(p.detach().norm() for p in model.parameters()))
        with torch.no_grad():
            plain.append([torch.norm(p) for p in model.parameters()])
    return norms, states, clipped, plain, steps


net = nn.Linear(20, 1)
train(net, [(torch.randn(8, 20), torch.randn(8, 1))] * 100)
