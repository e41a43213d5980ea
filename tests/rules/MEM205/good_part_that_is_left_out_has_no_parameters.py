# the part that is left out has no parameters

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.act, self.lin = nn.Softmax(-1), nn.ReLU(), nn.Linear(4, 4)

    def forward(self, x):
        return self.act(self.lin(self.norm(x)))


net = Net()
optimizer = torch.optim.SGD(net.lin.parameters(), lr=0.1)
for x in torch.randn(8, 3, 4):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
