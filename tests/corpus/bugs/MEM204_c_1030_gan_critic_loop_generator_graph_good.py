import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, nz=100, ngf=64):
        super().__init__()
        self.main = nn.Sequential(nn.ConvTranspose2d(nz, ngf * 4, 4), nn.BatchNorm2d(ngf * 4), nn.ReLU(True),
                                  nn.ConvTranspose2d(ngf * 4, 3, 4, 4), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Critic(nn.Module):
    def __init__(self, ndf=64):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(3, ndf, 4, 2), nn.LeakyReLU(0.2), nn.Flatten(), nn.LazyLinear(1))

    def forward(self, x):
        return self.main(x)


def train(loader, n_critic=5, clip=0.01, epochs=100):
    netG, netD = Generator().cuda(), Critic().cuda()
    optG = torch.optim.RMSprop(netG.parameters(), lr=5e-5)
    optD = torch.optim.RMSprop(netD.parameters(), lr=5e-5)
    for epoch in range(epochs):
        for i, (real, _) in enumerate(loader):
            real = real.cuda()
            z = torch.randn(real.size(0), 100, 1, 1, device="cuda")
            optD.zero_grad()
            fake = netG(z)
            loss_d = netD(fake.detach()).mean() - netD(real).mean()
            loss_d.backward()
            optD.step()
            for p in netD.parameters():
                p.data.clamp_(-clip, clip)
            if i % n_critic == 0:
                optG.zero_grad()
                loss_g = -netD(netG(z)).mean()
                loss_g.backward()
                optG.step()
