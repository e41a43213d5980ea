import torch
from torch import nn

G = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16))
D = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), 1e-4)
opt_d = torch.optim.Adam(D.parameters(), 1e-4)
for real in torch.randn(30, 4, 16):
    fake = G(torch.randn(4, 8))
    d_loss = D(fake.detach()).mean() - D(real).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(fake).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
