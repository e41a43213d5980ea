# the inner function is decorated and does the forward

import torch


class Evaluator:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def _forward(self, x):
        return self.model(x)

    def evaluate(self, val_loader):
        self.model.eval()
        return [self._forward(x).argmax(1).tolist() for x in val_loader]


print(Evaluator(torch.nn.Linear(2, 2)).evaluate(torch.randn(3, 4, 2)))
