# a context that is made and never entered turns nothing on

import torch

net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
torch.autograd.detect_anomaly()
for x in torch.randn(20, 4, 8):
    loss = net(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
