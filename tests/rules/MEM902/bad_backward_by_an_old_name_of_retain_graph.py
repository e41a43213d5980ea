# `retain_variables` was renamed long ago: the line raises TypeError, so whether it is needed comes second

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(30, 8, 4):
    opt.zero_grad()
    out = net(x)
    out.mean().backward(retain_variables=True)  #! MEM902 error
    out.pow(2).mean().backward()
    opt.step()
