# Rows of an identity matrix are one-hot vectors as well.

import torch
from torch import nn


class Trainer:
    def __init__(self, model, classes, device):
        self.model = model.to(device)
        self.criterion = nn.CrossEntropyLoss()
        self.identity = torch.eye(classes, device=device)

    def step(self, x, y):
        target = self.identity[y]  #! MEM414 warning
        loss = self.criterion(self.model(x), target)
        loss.backward()
        return loss.item()
