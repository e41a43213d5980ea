# GAN with two optimizers, both cleared

import torch
from torch import nn

G, D = nn.Linear(4, 2), nn.Linear(2, 1)
g_opt, d_opt = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
for i in range(100):
    fake = G(torch.randn(8, 4))
    d_opt.zero_grad()
    d_loss = D(fake.detach()).mean() - D(torch.randn(8, 2)).mean()
    d_loss.backward()
    d_opt.step()
    g_opt.zero_grad()
    g_loss = -D(fake).mean()
    g_loss.backward()
    g_opt.step()
