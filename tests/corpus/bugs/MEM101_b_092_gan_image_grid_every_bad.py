import os

import torch
import torch.nn as nn
from torchvision.utils import make_grid, save_image


class Pix2Pix:
    def __init__(self, G, D, lr=2e-4, lam=100):
        self.G, self.D, self.lam = G.cuda(), D.cuda(), lam
        self.optimizer_G = torch.optim.Adam(G.parameters(), lr, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(D.parameters(), lr, betas=(0.5, 0.999))
        self.optimizers = [self.optimizer_G, self.optimizer_D]
        self.gan, self.l1 = nn.BCEWithLogitsLoss(), nn.L1Loss()
        self.loss_names = ["G_GAN", "G_L1", "D"]

    def set_input(self, data):
        self.real_A, self.real_B = data["A"].cuda(), data["B"].cuda()

    def forward(self):
        self.fake_B = self.G(self.real_A)

    def backward_D(self):
        pf = self.D(torch.cat((self.real_A, self.fake_B), 1).detach())
        pr = self.D(torch.cat((self.real_A, self.real_B), 1))
        self.loss_D = 0.5 * (self.gan(pf, torch.zeros_like(pf)) + self.gan(pr, torch.ones_like(pr)))
        self.loss_D.backward()

    def backward_G(self):
        pf = self.D(torch.cat((self.real_A, self.fake_B), 1))
        self.loss_G_GAN = self.gan(pf, torch.ones_like(pf))
        self.loss_G_L1 = self.lam * self.l1(self.fake_B, self.real_B)
        (self.loss_G_GAN + self.loss_G_L1).backward()

    def optimize_parameters(self):
        self.forward()
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


def train(model, loader, val_loader, epochs, out):
    os.makedirs(out, exist_ok=True)
    for ep in range(epochs):
        l1 = 0
        for data in loader:
            model.set_input(data)
            model.optimize_parameters()
            l1 += model.loss_G_L1  #! MEM101
        print(ep, float(l1) / len(loader))
        grids = []
        model.G.eval()
        for i, data in enumerate(val_loader):
            fake = model.G(data["A"].cuda())  #! MEM201
            grids.append(make_grid(fake, normalize=True))  #? MEM102
            if i == 3:
                break
        model.G.train()
        save_image(torch.cat(grids, 1), os.path.join(out, f"{ep}.png"))
