# detached in the discriminator's loss, reused for the generator's

import torch
from torch import nn

G, D = nn.Linear(4, 6), nn.Linear(6, 1)
opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for real in torch.randn(20, 8, 6):
    fake = G(torch.randn(8, 4))
    opt_d.zero_grad()
    (D(fake.detach()).mean() - D(real).mean()).backward()
    opt_d.step()
    opt_g.zero_grad()
    (-D(fake).mean()).backward()
    opt_g.step()
