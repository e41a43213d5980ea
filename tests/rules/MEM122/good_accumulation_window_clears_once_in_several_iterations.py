# an accumulation window clears once in several iterations

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(40):
    loss = net(torch.randn(3, 4)).sum() / 4
    if i % 4 == 0:
        opt.zero_grad()
    loss.backward()
    if i % 4 == 3:
        opt.step()
