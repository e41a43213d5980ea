# GAN: the generator's forward is followed by the backward of the other network, so its clearing has to wait

import torch
from torch import nn

gen, dis = nn.Linear(4, 8), nn.Linear(8, 1)
opt_g = torch.optim.Adam(gen.parameters())
opt_d = torch.optim.Adam(dis.parameters())
bce = nn.BCEWithLogitsLoss()
for real in torch.randn(10, 16, 8):
    fake = gen(torch.randn(16, 4))
    opt_d.zero_grad()
    d_loss = bce(dis(real), torch.ones(16, 1)) + bce(dis(fake.detach()), torch.zeros(16, 1))
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = bce(dis(fake), torch.ones(16, 1))
    g_loss.backward()
    opt_g.step()
