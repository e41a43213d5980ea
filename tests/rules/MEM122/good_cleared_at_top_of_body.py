# cleared at the top of the body

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    opt.zero_grad()
    net(torch.randn(3, 4)).sum().backward()
    opt.step()
