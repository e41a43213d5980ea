# a library asks the network for the shape of its outputs: that graph goes at once

import torch


class Posterior:
    def __init__(self, model, jacobians):
        self.model, self.jacobians = model, jacobians

    def moments(self, x):
        size = self.model(x).shape[-1]
        return self.jacobians(x, size)

    def validation_loss(self, loader):
        total = torch.zeros(())
        for x, y in loader:
            mean, variance = self.moments(x)
            total += ((y - mean).square() / variance).sum()
        return total
