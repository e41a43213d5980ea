import torch
from torch import nn


class Pix2Pix:
    def __init__(self, lam=100.0):
        self.netG = nn.Conv2d(3, 3, 3, padding=1)
        self.netD = nn.Conv2d(6, 1, 4, 2, 1)
        self.gan, self.l1, self.lam = nn.MSELoss(), nn.L1Loss(), lam
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), 2e-4, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), 2e-4, betas=(0.5, 0.999))

    def set_input(self, a, b):
        self.real_A, self.real_B = a, b

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def backward_D(self):
        fake = self.netD(torch.cat((self.real_A, self.fake_B), 1))  #! MEM204
        real = self.netD(torch.cat((self.real_A, self.real_B), 1))
        self.loss_D = 0.5 * (self.gan(fake, torch.zeros_like(fake)) + self.gan(real, torch.ones_like(real)))
        self.loss_D.backward(retain_graph=True)

    def backward_G(self):
        pred = self.netD(torch.cat((self.real_A, self.fake_B), 1))
        self.loss_G = self.gan(pred, torch.ones_like(pred)) + self.lam * self.l1(self.fake_B, self.real_B)
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()
