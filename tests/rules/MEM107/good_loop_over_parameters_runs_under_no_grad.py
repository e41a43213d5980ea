# the loop over the parameters runs under no_grad

import copy

import torch

model = torch.nn.Linear(4, 4)
ema_model = copy.deepcopy(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(20, 3, 4):
    opt.zero_grad()
    model(x).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for e, p in zip(ema_model.parameters(), model.parameters()):
            e.lerp_(p, 0.001)
