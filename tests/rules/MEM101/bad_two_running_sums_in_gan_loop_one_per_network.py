# two running sums in a GAN loop, one per network

import torch
from torch import nn

G = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()
d_total, g_total = 0, 0

for i in range(300):
    real = torch.randn(32, 2)
    fake = G(torch.randn(32, 8))
    opt_d.zero_grad()
    d_loss = bce(D(real), torch.ones(32, 1)) + bce(D(fake.detach()), torch.zeros(32, 1))
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = bce(D(fake), torch.ones(32, 1))
    g_loss.backward()
    opt_g.step()
    d_total += d_loss  #! MEM101 warning
    g_total += g_loss  #! MEM101 warning
print(float(d_total) / 300, float(g_total) / 300)
