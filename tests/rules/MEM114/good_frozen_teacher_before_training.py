# another module is evaluated: a frozen teacher before the training

import torch

teacher = torch.nn.Linear(10, 3)
net = torch.nn.Linear(10, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
teacher.eval()
with torch.no_grad():
    goals = [teacher(x) for x in torch.randn(5, 4, 10)]
for goal in goals:
    opt.zero_grad()
    (net(torch.randn(4, 10)) - goal).pow(2).mean().backward()
    opt.step()
