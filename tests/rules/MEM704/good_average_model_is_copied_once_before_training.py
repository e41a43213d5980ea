# an average model is copied once before training

import copy

import torch

model = torch.nn.Linear(8, 8).cuda()
ema = copy.deepcopy(model)
target = copy.deepcopy(model.state_dict())
opt = torch.optim.Adam(model.parameters())
for step in range(100):
    opt.zero_grad()
    model(torch.randn(4, 8).cuda()).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for slow, fast in zip(ema.parameters(), model.parameters()):
            slow.lerp_(fast, 0.01)
