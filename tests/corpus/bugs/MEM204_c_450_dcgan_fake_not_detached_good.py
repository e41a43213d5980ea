import argparse

import torch
import torch.nn as nn
import torch.optim as optim


class Generator(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(nz, 128), nn.ReLU(True), nn.Linear(128, 784), nn.Tanh())

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(784, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1), nn.Sigmoid())

    def forward(self, input):
        return self.main(input).view(-1)


parser = argparse.ArgumentParser()
parser.add_argument("--nz", type=int, default=100)
opt = parser.parse_args()
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
netG = Generator(opt.nz).to(device)
netD = Discriminator().to(device)
criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=0.0002, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.0002, betas=(0.5, 0.999))
dataloader = [torch.randn(64, 784)] * 10

for epoch in range(3):
    for i, data in enumerate(dataloader, 0):
        netD.zero_grad()
        label = torch.full((64,), 1.0, device=device)
        errD_real = criterion(netD(data.to(device)), label)
        errD_real.backward()
        fake = netG(torch.randn(64, opt.nz, device=device))
        label.fill_(0.0)
        output = netD(fake.detach())
        errD_fake = criterion(output, label)
        errD_fake.backward()
        optimizerD.step()
        netG.zero_grad()
        label.fill_(1.0)
        errG = criterion(netD(fake), label)
        errG.backward()
        optimizerG.step()
