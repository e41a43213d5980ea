# the optimizers get what `filter` leaves; the discriminator judges detached samples

import torch
from networks import Discriminator, Generator

G, D = Generator().cuda(), Discriminator().cuda()
g_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, G.parameters()), 1e-4)
d_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, D.parameters()), 4e-4)
for real in loader:
    fake = G(torch.randn(real.size(0), 128, device="cuda"))
    loss = torch.relu(1 - D(real.cuda())).mean() + torch.relu(1 + D(fake.detach())).mean()
    d_optimizer.zero_grad()
    loss.backward()
    d_optimizer.step()
    loss = -D(fake).mean()
    g_optimizer.zero_grad()
    loss.backward()
    g_optimizer.step()
