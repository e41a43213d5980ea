# the batch is skipped before its forward pass

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(20, 3, 4):
    if x.isnan().any():
        continue
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
