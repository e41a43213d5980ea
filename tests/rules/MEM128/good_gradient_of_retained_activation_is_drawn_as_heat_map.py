# the gradient of a retained activation is drawn as a heat map

import torch

body, head = torch.nn.Linear(10, 6), torch.nn.Linear(6, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for x in torch.randn(5, 4, 10):
    feat = body(x)
    feat.retain_grad()
    opt.zero_grad()
    head(feat).sum().backward()
    opt.step()
    print(feat.grad.abs().mean().item())
