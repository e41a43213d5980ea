# a curriculum: each epoch has its own subset

import torch
from torch.utils.data import DataLoader, Subset

points = torch.randn(1000, 8)
order = points.norm(dim=1).argsort()
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    easy = Subset(points, order[: 100 * (epoch + 1)].tolist())
    for x in DataLoader(easy, batch_size=20, num_workers=2, shuffle=True):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
