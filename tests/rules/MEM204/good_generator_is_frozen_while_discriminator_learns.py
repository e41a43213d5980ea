# the generator is frozen while the discriminator learns

import torch
from torch import nn

G, D = nn.Linear(4, 6), nn.Linear(6, 1)
opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for real in torch.randn(20, 8, 6):
    for p in G.parameters():
        p.requires_grad_(False)
    opt_d.zero_grad()
    (D(G(torch.randn(8, 4))).mean() - D(real).mean()).backward()
    opt_d.step()
    for p in G.parameters():
        p.requires_grad_(True)
    opt_g.zero_grad()
    (-D(G(torch.randn(8, 4))).mean()).backward()
    opt_g.step()
