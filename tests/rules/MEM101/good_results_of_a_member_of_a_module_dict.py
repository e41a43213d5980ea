# what a method of a network in a ModuleDict gives beside its loss has no graph

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, model, critic):
        super().__init__()
        self.model, self.critic = model, critic

    def weighted(self, x):
        with torch.no_grad():
            weight = torch.exp(self.critic(x)).mean()
        return self.model(x).mean() * weight, weight


class Algorithm:
    def train(self, model, buffer):
        self.model = nn.ModuleDict({"policy": model})
        optimizer = torch.optim.Adam(self.model["policy"].parameters())
        weights = 0.0
        for x in buffer:
            loss, weight = self.model["policy"].weighted(x)
            weights += weight
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(weights)
