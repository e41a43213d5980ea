# a network that lists the parameters of its parts for the optimizer

import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, width, rates):
        super().__init__()
        self.heads = nn.ModuleDict()
        self.groups = []
        for rate in rates:
            head = nn.Linear(width, 5)
            self.heads[str(rate)] = head
            self.groups.append({"params": head.parameters(), "lr": rate})

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


def epoch(model, loader, optimizer, criterion):
    model.train()
    for x, y in loader:
        out = model(x)
        loss = torch.stack([criterion(scores, y) for scores in out.values()]).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(loader):
    model = Heads(64, [0.1, 0.01])
    optimizer = torch.optim.AdamW(model.groups, weight_decay=0.0)
    for _ in range(3):
        epoch(model, loader, optimizer, nn.CrossEntropyLoss())
