# the best model is kept by deepcopy

import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        self.features = self.layer(x)  #! MEM120 warning
        return self.features.relu()


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    net(torch.randn(4, 8)).mean().backward()
    optimizer.step()
    best = copy.deepcopy(net)
