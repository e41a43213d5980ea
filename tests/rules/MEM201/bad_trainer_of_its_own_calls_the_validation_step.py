# The trainer is a class of the script, so its grad mode is in view.

import torch
import torch.nn as nn


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 1))

    def training_step(self, batch):
        x, y = batch
        return (self.body(x) - y).pow(2).mean()

    def validation_step(self, batch):
        x, y = batch
        return (self.body(x) - y).abs().mean().item()


class Trainer:
    def __init__(self, model, loaders):
        self.model = model.cuda()
        self.train_loader, self.val_loader = loaders
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def fit(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for batch in self.train_loader:
                self.optimizer.zero_grad()
                self.model.training_step(batch).backward()
                self.optimizer.step()
            self.validate()

    def validate(self):
        self.model.eval()
        errors = []
        for batch in self.val_loader:
            errors.append(self.model.validation_step(batch))  #! MEM201 error
        print(sum(errors) / len(errors))


Trainer(Regressor(4096), loaders).fit(10)
