# gradients are stored, not graph tensors

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
grads, norms = [], []
for x in torch.randn(5, 8, 4):
    opt.zero_grad()
    net(x).mean().backward()
    grads.append([p.grad.clone() for p in net.parameters()])
    norms.append(torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0))
    opt.step()
