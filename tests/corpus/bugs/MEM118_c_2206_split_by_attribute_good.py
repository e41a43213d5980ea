import torch
from torch import nn


class GradAccumTrainer:
    def __init__(self, model, micro):
        self.model, self.micro = model, micro
        self.optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, x, y):
        self.optimizer.zero_grad()
        for xs, ys in zip(x.split(self.micro), y.split(self.micro)):
            (self.criterion(self.model(xs), ys) * len(xs) / len(x)).backward()
        self.optimizer.step()

    def fit(self, loader):
        for x, y in loader:
            self.training_step(x, y)
