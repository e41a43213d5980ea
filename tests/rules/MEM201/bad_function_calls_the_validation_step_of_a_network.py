# No framework is there to call the step: a function of the script does, and forgets no_grad.

import torch
import torch.nn as nn
import torch.nn.functional as F


class StepModule(nn.Module):
    def training_step(self, batch):
        images, labels = batch
        return F.cross_entropy(self(images), labels)

    def validation_step(self, batch):
        images, labels = batch
        out = self(images)
        return {"loss": F.cross_entropy(out, labels).detach(), "right": (out.argmax(1) == labels).sum()}

    def validation_epoch_end(self, outputs):
        return {"loss": torch.stack([o["loss"] for o in outputs]).mean().item()}


class Digits(StepModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))

    def forward(self, x):
        return self.body(x)


def evaluate(model, loader):
    model.eval()
    outputs = [model.validation_step(batch) for batch in loader]  #! MEM201 error
    return model.validation_epoch_end(outputs)


def fit(epochs, lr, model, train_loader, val_loader):
    optimizer = torch.optim.SGD(model.parameters(), lr)
    for epoch in range(epochs):
        model.train()
        for batch in train_loader:
            loss = model.training_step(batch)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(epoch, evaluate(model, val_loader))


fit(5, 0.1, Digits().cuda(), train_loader, val_loader)
