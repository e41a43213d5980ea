# flat script: the fake batch goes into the discriminator as it is

import torch
from torch import nn

gen = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 32))
disc = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
opt_gen = torch.optim.Adam(gen.parameters(), 2e-4)
opt_disc = torch.optim.Adam(disc.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()

for real in torch.randn(100, 16, 32):
    fake = gen(torch.randn(16, 8))
    real_loss = bce(disc(real), torch.ones(16, 1))
    fake_loss = bce(disc(fake.detach()), torch.zeros(16, 1))
    opt_disc.zero_grad()
    (real_loss + fake_loss).backward()
    opt_disc.step()

    opt_gen.zero_grad()
    bce(disc(gen(torch.randn(16, 8))), torch.ones(16, 1)).backward()
    opt_gen.step()
