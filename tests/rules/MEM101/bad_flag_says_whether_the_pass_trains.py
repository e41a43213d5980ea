# with the flag, backward() begins with the loss that is added: it has a graph then

import torch
from torch import nn


def run(model, loader, optimizer, training):
    total = 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss  #! MEM101 warning
    return total / len(loader)


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.total = model.cuda(), optimizer, 0

    def cycle(self, loader):
        self.model.train(loader.training)
        torch.set_grad_enabled(loader.training)
        for x, y in loader:
            loss = nn.functional.cross_entropy(self.model(x.cuda()), y.cuda())
            if loader.training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.total += loss  #! MEM101 warning
