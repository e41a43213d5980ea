# Each expert's weight is multiplied, in its place in a tensor, by a factor that carries a graph of its own per step.

import torch
import torch.nn.functional as F


def hedge(layers, heads, loader, optimizer):
    share = torch.full((len(heads),), 1 / len(heads))
    for x, y in loader:
        losses = []
        for layer, head in zip(layers, heads):
            x = F.relu(layer(x))
            losses.append(F.cross_entropy(head(x), y))
        optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        optimizer.step()
        for i, loss in enumerate(losses):
            share[i] *= torch.exp(-loss)  #! MEM101 error
    return share


layers = torch.nn.ModuleList([torch.nn.Linear(64, 64) for _ in range(4)])
heads = torch.nn.ModuleList([torch.nn.Linear(64, 10) for _ in range(4)])
both = torch.nn.ModuleList([layers, heads])
hedge(layers, heads, loader, torch.optim.SGD(both.parameters(), lr=0.01))
