# the body of the network joins the optimizer after the first pass

import torch
import torch.nn as nn
import torch.nn.functional as F
from data import loader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(400, 800), nn.Linear(800, 3)
    def forward(self, x):
        return self.head(self.body(x))

net = Net()
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for epoch in range(4):
    if epoch == 1:
        optimizer.add_param_group({"params": net.body.parameters()})
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
