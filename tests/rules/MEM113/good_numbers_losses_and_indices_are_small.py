# numbers, losses and indices are small

import torch

net = torch.nn.Linear(64, 1000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 8, 64):
    opt.zero_grad()
    out = net(x)
    loss = out.pow(2).mean()
    loss.backward()
    opt.step()
    value = loss.detach()
    best = out.argmax(-1)
    total = sum(p.grad.norm() for p in net.parameters())
    print(value.item(), best.tolist(), total.item())
