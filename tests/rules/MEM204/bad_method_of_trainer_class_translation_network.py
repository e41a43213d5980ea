# method of a trainer class: a translation network with a patch discriminator

import torch
from torch import nn


class Translator:
    def __init__(self):
        self.netG = nn.Conv2d(1, 3, 3, padding=1)
        self.netD = nn.Conv2d(4, 1, 4, stride=2)
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.gan_loss = nn.MSELoss()

    def forward(self, image):
        self.image = image
        self.fake = self.netG(image)

    def backward_D(self, colour):
        wrong = self.netD(torch.cat((self.image, self.fake), 1))  #! MEM204 warning
        right = self.netD(torch.cat((self.image, colour), 1))
        loss = self.gan_loss(wrong, torch.zeros_like(wrong)) + self.gan_loss(right, torch.ones_like(right))
        loss.backward(retain_graph=True)

    def backward_G(self, colour):
        wrong = self.netD(torch.cat((self.image, self.fake), 1))
        loss = self.gan_loss(wrong, torch.ones_like(wrong)) + (self.fake - colour).abs().mean()
        loss.backward()

    def optimize(self, image, colour):
        self.forward(image)
        self.optimizer_D.zero_grad()
        self.backward_D(colour)
        self.optimizer_D.step()
        self.optimizer_G.zero_grad()
        self.backward_G(colour)
        self.optimizer_G.step()


translator = Translator()
for _ in range(10):
    translator.optimize(torch.randn(2, 1, 16, 16), torch.randn(2, 3, 16, 16))
