import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Pix2PixModel:
    def __init__(self, netG, netD, lambda_l1=100.0, lr=2e-4):
        self.netG, self.netD = netG.cuda(), netD.cuda()
        self.criterionGAN = nn.BCEWithLogitsLoss()
        self.criterionL1 = nn.L1Loss()
        self.lambda_l1 = lambda_l1
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=lr, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=lr, betas=(0.5, 0.999))

    def set_input(self, batch):
        self.real_A, self.real_B = batch["A"].cuda(), batch["B"].cuda()

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def gan(self, pred, real):
        return self.criterionGAN(pred, torch.full_like(pred, float(real)))

    def backward_D(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        pred_fake = self.netD(fake_AB.detach())
        self.loss_D_fake = self.gan(pred_fake, False)
        pred_real = self.netD(torch.cat((self.real_A, self.real_B), 1))
        self.loss_D_real = self.gan(pred_real, True)
        self.loss_D = (self.loss_D_fake + self.loss_D_real) * 0.5
        self.loss_D.backward()

    def backward_G(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        self.loss_G = self.gan(self.netD(fake_AB), True) + self.lambda_l1 * self.criterionL1(self.fake_B, self.real_B)
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        for p in self.netD.parameters():
            p.requires_grad = True
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        for p in self.netD.parameters():
            p.requires_grad = False
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()

    def current_losses(self):
        return {k: float(getattr(self, f"loss_{k}")) for k in ("G", "D", "D_real", "D_fake")}


def train(model, loader, epochs):
    for epoch in range(epochs):
        for i, batch in enumerate(loader):
            model.set_input(batch)
            model.optimize_parameters()
            if i % 100 == 0:
                print(epoch, i, model.current_losses())
