# Collects the attention of each layer for a later look, while a classifier is being trained.
import math

import torch
from torch import nn

attention_maps = {}


class Head(nn.Module):
    def __init__(self, dim, name):
        super().__init__()
        self.qkv, self.name = nn.Linear(dim, 3 * dim), name

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), -1)
        attention_maps[self.name] = weights.detach().cpu()
        return weights @ v


class Classifier(nn.Module):
    def __init__(self, dim=32, depth=3):
        super().__init__()
        self.heads = nn.ModuleList(Head(dim, f"layer{i}") for i in range(depth))
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        for head in self.heads:
            x = x + head(x)
        return self.out(x.mean(1))


def fit(model, epochs=2, batches=60):
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(epochs):
        for _ in range(batches):
            x = torch.randn(8, 40, 32)
            loss = nn.functional.cross_entropy(model(x), (x[:, 0, 0] > 0).long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


fit(Classifier())
print({k: len(v) for k, v in attention_maps.items()})
