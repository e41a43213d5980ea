# GAN: the discriminator's optimizer is zeroed, the generator's never

import torch
from torch import nn

netG = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2))
netD = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
criterion = nn.BCEWithLogitsLoss()

for i in range(1000):
    real = torch.randn(32, 2)
    fake = netG(torch.randn(32, 16))

    optimizerD.zero_grad()
    errD = criterion(netD(real), torch.ones(32, 1)) + criterion(netD(fake.detach()), torch.zeros(32, 1))
    errD.backward()
    optimizerD.step()

    errG = criterion(netD(fake), torch.ones(32, 1))
    errG.backward()  #! MEM121
    optimizerG.step()
