# one step in the whole script: there are no gradients yet

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(3, 4)).sum()
opt.zero_grad()
loss.backward()
opt.step()
