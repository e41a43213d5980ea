"""A long signal lies on the device; each round goes on with the state of the round before."""
import torch
from torch import nn


class Follower(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 32)
        self.cell = nn.GRUCell(32, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, x, h):
        h = self.cell(torch.relu(self.mix(x)), h)
        return self.head(h), h


def follow(store, device):
    net = Follower().to(device)
    adam = torch.optim.Adam(net.parameters())
    signal = store["signal"].to(device)
    h = torch.zeros(64, 32, device=device)
    for t in range(1000):
        adam.zero_grad()
        y, h = net(signal[t], h.detach())
        loss = (y - signal[t + 1, :, :1]).abs().mean()
        loss.backward()
        adam.step()
