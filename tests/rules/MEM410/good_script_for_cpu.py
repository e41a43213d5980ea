# a script for the CPU

import torch
from torch.utils.data import DataLoader

device = torch.device("cpu")
net = torch.nn.Linear(8, 1).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(100, 8), batch_size=10):
    x = x.to(device)
    opt.zero_grad()
    net(x + torch.zeros(8).to(device)).mean().backward()
    opt.step()
