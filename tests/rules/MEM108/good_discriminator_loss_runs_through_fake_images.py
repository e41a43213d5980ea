# the discriminator's loss runs through the fake images that the generator's loss uses again

import torch
from torch import nn

G, D = nn.Linear(4, 10), nn.Linear(10, 1)
optim_g, optim_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for real in torch.randn(30, 8, 10):
    fake = G(torch.randn(8, 4))
    optim_d.zero_grad()
    d_loss = D(fake).mean() - D(real).mean()
    d_loss.backward(retain_graph=True)
    optim_d.step()
    optim_g.zero_grad()
    g_loss = -D(fake).mean()
    g_loss.backward()
    optim_g.step()
