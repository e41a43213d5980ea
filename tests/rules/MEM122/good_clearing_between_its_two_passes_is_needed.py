# sharpness-aware minimisation: the clearing between its two passes is needed

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
crit = torch.nn.MSELoss()
for _ in range(10):
    x, y = torch.randn(3, 4), torch.randn(3, 2)
    opt.zero_grad()
    crit(net(x), y).backward()
    with torch.no_grad():
        moves = [p.grad * 0.05 for p in net.parameters()]
        for p, e in zip(net.parameters(), moves):
            p.add_(e)
    opt.zero_grad()
    crit(net(x), y).backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), moves):
            p.sub_(e)
    opt.step()
