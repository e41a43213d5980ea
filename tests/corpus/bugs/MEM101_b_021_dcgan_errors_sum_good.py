from __future__ import print_function

import random

import torch
import torch.nn as nn
import torch.nn.parallel
import torch.optim as optim
import torchvision.utils as vutils

nz, ngf, ndf = 100, 64, 64
real_label, fake_label = 1., 0.


def weights_init(m):
    if m.__class__.__name__.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)


def train(netG, netD, dataloader, niter, device):
    criterion = nn.BCELoss()
    fixed_noise = torch.randn(64, nz, 1, 1, device=device)
    optimizerD = optim.Adam(netD.parameters(), lr=0.0002, betas=(0.5, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=0.0002, betas=(0.5, 0.999))
    for epoch in range(niter):
        sum_D, sum_G, dx = 0, 0, 0
        for i, data in enumerate(dataloader, 0):
            netD.zero_grad()
            real = data[0].to(device)
            b = real.size(0)
            label = torch.full((b,), real_label, device=device)
            output = netD(real).view(-1)
            errD_real = criterion(output, label)
            errD_real.backward()
            D_x = output.mean().item()
            noise = torch.randn(b, nz, 1, 1, device=device)
            fake = netG(noise)
            label.fill_(fake_label)
            errD_fake = criterion(netD(fake.detach()).view(-1), label)
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()
            netG.zero_grad()
            label.fill_(real_label)
            errG = criterion(netD(fake).view(-1), label)
            errG.backward()
            optimizerG.step()
            sum_D += errD.item()
            sum_G += errG.item()
            dx += D_x
        n = len(dataloader)
        print("[%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f" % (epoch, niter, sum_D / n, sum_G / n, dx / n))
        with torch.no_grad():
            vutils.save_image(netG(fixed_noise), "fake_%03d.png" % epoch, normalize=True)
