# The function that calls the step of the network turns the recording off.

import torch
import torch.nn as nn
import torch.nn.functional as F


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))

    def training_step(self, batch):
        images, labels = batch
        return F.cross_entropy(self.body(images), labels)

    def validation_step(self, batch):
        images, labels = batch
        return F.cross_entropy(self.body(images), labels).detach()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return torch.stack([model.validation_step(batch) for batch in loader]).mean().item()


def fit(epochs, model, train_loader, val_loader):
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(epochs):
        model.train()
        for batch in train_loader:
            loss = model.training_step(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(evaluate(model, val_loader))


fit(5, Digits().cuda(), train_loader, val_loader)
