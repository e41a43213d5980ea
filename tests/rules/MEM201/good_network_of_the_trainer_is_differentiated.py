# the network that the trainer has is trained

import torch


def fit(trainer, loader, optimizer):
    trainer.model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = trainer.loss(trainer.model(x), y)
        loss.backward()
        optimizer.step()
    trainer.model.eval()
