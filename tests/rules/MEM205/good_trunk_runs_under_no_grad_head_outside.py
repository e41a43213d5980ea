# the trunk runs under no_grad, the head outside

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.head = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        with torch.no_grad():
            x = self.trunk(x)
        return self.head(x)


net = Net()
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for x in torch.randn(8, 3, 4):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
