# flat script that skips losses that are not finite

import torch
from torch import nn

net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(8, 12)
    output = net(x)
    loss = (output - x.sum(1, keepdim=True)).log().mean()
    if not torch.isfinite(loss):  #! MEM119
        print("skip", step)
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
