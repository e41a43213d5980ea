# method of a class that estimates curvature for a new model each time

import torch
from torch import nn


class Curvature:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def probe(self, width):
        model = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))
        loss = (model(self.x) - self.y).pow(2).mean()
        loss.backward(create_graph=True)  #! MEM109 error
        flat = torch.cat([p.grad.flatten() for p in model.parameters()])
        return flat.norm().item()

    def run(self, widths):
        return [self.probe(w) for w in widths]


print(Curvature(torch.randn(20, 4), torch.randn(20, 1)).run(range(4, 40)))
