# per-task gradients by autograd.grad, then the sum runs backward

import torch

net = torch.nn.Linear(6, 2)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(15, 3, 6):
    out = net(x)
    one, two = out[:, 0].pow(2).mean(), out[:, 1].abs().mean()
    g1 = torch.autograd.grad(one, net.parameters(), retain_graph=True)
    g2 = torch.autograd.grad(two, net.parameters(), retain_graph=True)
    weight = g1[0].norm() / g2[0].norm()
    opt.zero_grad()
    (one + weight.detach() * two).backward()
    opt.step()
