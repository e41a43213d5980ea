# a norm is read from gradients of parameters that may be unused: None would raise

import torch

net = torch.nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    opt.zero_grad(set_to_none=False)
    net(torch.randn(3, 6)).sum().backward()
    print(sum(p.grad.norm() for p in net.parameters()))
    opt.step()
