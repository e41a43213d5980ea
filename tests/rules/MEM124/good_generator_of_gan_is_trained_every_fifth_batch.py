# the generator of a GAN is trained every fifth batch, with its own backward inside

import torch
from torch import nn

G, D = nn.Linear(8, 16), nn.Linear(16, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-4)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-4)
n_critic = 5
for i in range(50):
    real, z = torch.randn(4, 16), torch.randn(4, 8)
    opt_d.zero_grad()
    opt_g.zero_grad()
    d_loss = D(G(z).detach()).mean() - D(real).mean()
    d_loss.backward()
    opt_d.step()
    if i % n_critic == 0:
        g_loss = -D(G(torch.randn(4, 8))).mean()
        g_loss.backward()
        opt_g.step()
