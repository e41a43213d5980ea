# image-to-image GAN class: the attributes are rebuilt in each step and back-propagated by another method

import torch
from torch import nn


class Pix2Pix:
    def __init__(self):
        self.netG, self.netD = nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(6, 1, 4)
        self.optimizer_G = torch.optim.Adam(self.netG.parameters())
        self.loss_G = 0.0

    def forward(self, real_A, real_B):
        self.real_A, self.real_B = real_A, real_B
        self.fake_B = self.netG(real_A)

    def backward_G(self):
        self.loss_G_GAN = -self.netD(torch.cat((self.real_A, self.fake_B), 1)).mean()
        self.loss_G_L1 = (self.fake_B - self.real_B).abs().mean() * 100
        self.loss_G = self.loss_G_GAN + self.loss_G_L1
        self.loss_G.backward()

    def optimize(self, a, b):
        self.forward(a, b)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


model = Pix2Pix()
for _ in range(3):
    model.optimize(torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))
