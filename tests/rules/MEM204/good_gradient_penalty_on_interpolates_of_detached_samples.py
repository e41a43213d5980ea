# gradient penalty on interpolates of detached samples

import torch
from torch import nn

G, D = nn.Linear(4, 6), nn.Linear(6, 1)
opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for real in torch.randn(20, 8, 6):
    fake = G(torch.randn(8, 4)).detach()
    mix = (0.5 * real + 0.5 * fake).requires_grad_(True)
    slope = torch.autograd.grad(D(mix).sum(), mix, create_graph=True)[0]
    opt_d.zero_grad()
    (D(fake).mean() - D(real).mean() + 10 * (slope.norm(2, 1) - 1).pow(2).mean()).backward()
    opt_d.step()
    opt_g.zero_grad()
    (-D(G(torch.randn(8, 4))).mean()).backward()
    opt_g.step()
