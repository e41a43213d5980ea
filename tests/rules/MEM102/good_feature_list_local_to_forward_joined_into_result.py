# feature list local to forward, joined into the result

import torch
from torch import nn


class DenseBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv2d(8 * (i + 1), 8, 3, padding=1) for i in range(3))

    def forward(self, x):
        feats = [x]
        for layer in self.layers:
            feats.append(layer(torch.cat(feats, 1)))
        return torch.cat(feats, 1)


net = DenseBlock()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = net(torch.randn(2, 8, 8, 8)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
