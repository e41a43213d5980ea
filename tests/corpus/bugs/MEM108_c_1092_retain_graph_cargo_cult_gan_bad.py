import torch
from torch import nn

G = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid())
og, od = torch.optim.Adam(G.parameters(), 1e-3), torch.optim.Adam(D.parameters(), 1e-3)
bce = nn.BCELoss()
for step in range(10000):
    real = torch.randn(256, 2) * 0.3 + 1
    fake = G(torch.randn(256, 16))
    od.zero_grad()
    d_loss = bce(D(real), torch.ones(256, 1)) + bce(D(fake.detach()), torch.zeros(256, 1))
    d_loss.backward(retain_graph=True)  #! MEM108
    od.step()
    og.zero_grad()
    g_loss = bce(D(fake), torch.ones(256, 1))
    g_loss.backward()
    og.step()
