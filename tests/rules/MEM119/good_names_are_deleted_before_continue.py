# the names are deleted before continue

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(20, 3, 4):
    out = net(x)
    loss = out.log().mean()
    if torch.isnan(loss):
        del out, loss
        continue
    opt.zero_grad()
    loss.backward()
    opt.step()
