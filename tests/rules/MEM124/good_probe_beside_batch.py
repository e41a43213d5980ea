# only one of two forward passes is constant: a probe beside the batch

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(80, 4), batch_size=8)
probe = torch.zeros(8, 4)
net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in loader:
    loss = (net(batch) - batch).pow(2).mean() + net(probe).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
