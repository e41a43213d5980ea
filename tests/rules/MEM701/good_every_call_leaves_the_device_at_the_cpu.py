# the only call of the file leaves the device at its default

import torch
from torch import nn


def train(loader, device="cpu"):
    model = nn.Linear(4, 2).to(device)
    model.load_state_dict(torch.load("x.pt"))
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for x in loader:
        opt.zero_grad()
        model(x.to(device)).mean().backward()
        opt.step()


train(torch.utils.data.DataLoader(torch.randn(64, 4)))
