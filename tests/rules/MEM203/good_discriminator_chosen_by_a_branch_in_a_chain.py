# the optimizer has the parameters of whichever discriminator was chosen, in a chain with those of the other

import itertools

import torch
from torch import nn


class Scales(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)

    def forward(self, x):
        return self.layer(x)


def train(options, generator, loader, device):
    periods = nn.Linear(8, 1).to(device)
    if options.get("scales", False):
        other = Scales().to(device)
    else:
        other = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.AdamW(itertools.chain(other.parameters(), periods.parameters()), 1e-4)
    for real in loader:
        with torch.no_grad():
            fake = generator(real)
        optimizer.zero_grad()
        loss = periods(fake).mean() + other(fake).mean() - periods(real).mean() - other(real).mean()
        loss.backward()
        optimizer.step()
