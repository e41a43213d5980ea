# The line is there, but nothing enters the context.
import torch
from torch import nn


class Evaluator:
    def __init__(self, model, classes):
        self.model, self.classes = model, classes

    def confusion(self, loader):
        self.model.eval()
        matrix = torch.zeros(self.classes, self.classes, dtype=torch.long)
        with torch.no_grad():
            for x, y in loader:
                pred = self.model(x).argmax(1)
                for t, p in zip(y.tolist(), pred.tolist()):
                    matrix[t, p] += 1
        return matrix


net = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 4))
batches = [(torch.randn(32, 12), torch.randint(4, (32,))) for _ in range(50)]
print(Evaluator(net, 4).confusion(batches))
