# exponential moving average of the weights, on .data or under no_grad

import copy

import torch

net = torch.nn.Linear(4, 1)
ema = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


@torch.no_grad()
def update(decay=0.99):
    for e, p in zip(ema.parameters(), net.parameters()):
        e.mul_(decay).add_(p, alpha=1 - decay)


for x in torch.randn(30, 8, 4):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
    update()
    for e, p in zip(ema.parameters(), net.parameters()):
        e.data = 0.9 * e.data + 0.1 * p.data
