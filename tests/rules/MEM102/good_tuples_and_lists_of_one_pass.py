# tuples and lists that one pass fills and uses, and those of numbers

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(6))

    def forward(self, x):
        states, maps = (x,), []
        for layer in self.layers:
            x = layer(x)
            states = states + (x,)
            maps = [*maps, x.mean(1)]
        return torch.stack(maps), states


def train(model, loader, opt):
    seen, rows, state = (), [], (0.0, 0.0)
    for x, y in loader:
        terms = ()
        for part in model(x)[1]:
            terms += (nn.functional.mse_loss(part, y),)
        loss = sum(terms)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += (loss.item(), x.shape)
        rows = [*rows, float(loss)]
        state = (*state[1:], loss.item())
    return seen, rows, state
