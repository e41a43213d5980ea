import torch
import torch.nn as nn


class Pix2Pix:
    def __init__(self, G, D, opt):
        self.netG, self.netD = G, D
        self.crit = nn.BCEWithLogitsLoss()
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=opt.lr)
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=opt.lr)

    def forward(self, a):
        self.fake_B = self.netG(a)

    def backward_D(self, a, b):
        fake_ab = torch.cat((a, self.fake_B), 1)
        pf = self.netD(fake_ab.detach())
        pr = self.netD(torch.cat((a, b), 1))
        (0.5 * (self.crit(pf, torch.zeros_like(pf)) + self.crit(pr, torch.ones_like(pr)))).backward()

    def backward_G(self, a, b):
        pf = self.netD(torch.cat((a, self.fake_B), 1))
        (self.crit(pf, torch.ones_like(pf)) + 100 * (self.fake_B - b).abs().mean()).backward()

    def optimize_parameters(self, a, b):
        self.forward(a)
        for p in self.netD.parameters():
            p.requires_grad = True
        self.optimizer_D.zero_grad()
        self.backward_D(a, b)
        self.optimizer_D.step()
        for p in self.netD.parameters():
            p.requires_grad = False
        self.optimizer_G.zero_grad()
        self.backward_G(a, b)
        self.optimizer_G.step()


def run(model, loader):
    for a, b in loader:
        model.optimize_parameters(a, b)


def dcgan(netG, netD, loader, nz, device):
    crit = nn.BCELoss()
    oD = torch.optim.Adam(netD.parameters())
    oG = torch.optim.Adam(netG.parameters())
    for data, _ in loader:
        netD.zero_grad()
        real = data.to(device)
        label = torch.full((real.size(0),), 1.0, device=device)
        errD_real = crit(netD(real).view(-1), label)
        errD_real.backward()
        fake = netG(torch.randn(real.size(0), nz, 1, 1, device=device))
        label.fill_(0.0)
        errD_fake = crit(netD(fake.detach()).view(-1), label)
        errD_fake.backward()
        oD.step()
        netG.zero_grad()
        label.fill_(1.0)
        errG = crit(netD(fake).view(-1), label)
        errG.backward()
        oG.step()


def gan_first(G, D, loader):
    """Generator first, with the usual order of the PyTorch-GAN collection."""
    oG, oD = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
    for real in loader:
        oG.zero_grad()
        gen = G(torch.randn(len(real), 8))
        g = -D(gen).mean()
        g.backward()
        oG.step()
        oD.zero_grad()
        d = D(gen.detach()).mean() - D(real).mean()
        d.backward()
        oD.step()
