# predict puts the network into evaluation mode and gives its callers class numbers

import torch
from torch import nn


class Trainer:
    def __init__(self, config):
        self.model = nn.Linear(config.size, config.classes)
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def update(self, x, y):
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.model(x), y).backward()
        self.optimizer.step()

    def predict(self, x):
        self.model.eval()
        return torch.argmax(self.model(x), dim=1)  #! MEM201 warning
