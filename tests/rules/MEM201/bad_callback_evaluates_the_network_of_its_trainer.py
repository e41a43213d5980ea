# the network is an attribute of what the caller hands in, and is put into evaluation mode by it

import torch


class ValidationCallback:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def validate(self, trainer):
        trainer.model.eval()
        total = 0.0
        for x, y in self.loader:
            scores = trainer.model(x.to(self.device))  #! MEM201
            total += trainer.loss(scores, y.to(self.device)).item()
        trainer.model.train()
        return total / len(self.loader)
