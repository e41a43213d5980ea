# the network that the trainer has is evaluated without gradients

import torch


def validate(trainer, loader):
    trainer.model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += trainer.loss(trainer.model(x), y).item()
    return total


def build(trainer, loader):
    return [trainer.transform(x) for x in loader]
