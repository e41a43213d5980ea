"""The state is made in the first batch only, and each batch goes on with that of the one before, without its graph."""
import torch
from torch import nn


def fit(net, loader, device):
    net.to(device)
    adam = torch.optim.Adam(net.parameters())
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        if i == 0:
            state = torch.zeros(1, len(x), 32, device=device)
        out, state = net(x, state.detach())
        loss = nn.functional.mse_loss(out, y)
        adam.zero_grad()
        loss.backward()
        adam.step()
