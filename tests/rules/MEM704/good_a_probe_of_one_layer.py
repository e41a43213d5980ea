# one linear layer: a second copy of it is nothing

import copy

import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Linear(dim, 1)

    def forward(self, x):
        return self.net(x).squeeze(-1)


class Head(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Dropout(0.1), nn.Linear(dim, classes), nn.Softmax(-1))

    def forward(self, x):
        return self.layers(x)


def train(x, y, dim, epochs):
    probe = Probe(dim).to("cuda")
    optimizer = torch.optim.AdamW(probe.parameters())
    best, best_probe = 0.0, None
    for epoch in range(epochs):
        for i in range(0, len(x), 64):
            loss = nn.functional.binary_cross_entropy_with_logits(probe(x[i : i + 64]), y[i : i + 64])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            score = ((probe(x) > 0) == y).float().mean().item()
        if score > best:
            best = score
            best_probe = copy.deepcopy(probe)
    return best_probe


def train_head(x, y, dim, epochs):
    head, best, best_state = Head(dim, 10).cuda(), float("inf"), None
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(x), y)
        loss.backward()
        optimizer.step()
        if loss.item() < best:
            best, best_state = loss.item(), copy.deepcopy(head.state_dict())
    head.load_state_dict(best_state)
    return head
