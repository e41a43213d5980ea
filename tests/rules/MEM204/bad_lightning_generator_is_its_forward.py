# a LightningModule whose own forward is the generator, with backwards by hand

import lightning as L
import torch
from torch import nn
from torch.nn import functional as F


class GAN(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.generator = nn.Sequential(nn.Linear(100, 784))
        self.discriminator = nn.Sequential(nn.Linear(784, 1))

    def forward(self, z):
        return self.generator(z)

    def training_step(self, real, index):
        optimizer_g, optimizer_d = self.optimizers()
        fake = self(torch.randn(len(real), 100))
        wrong = F.softplus(self.discriminator(fake)).mean()  #! MEM204 warning
        optimizer_d.zero_grad()
        self.manual_backward(wrong + F.softplus(-self.discriminator(real)).mean())
        optimizer_d.step()
        optimizer_g.zero_grad()
        fooled = self.discriminator(self(torch.randn(len(real), 100)))
        self.manual_backward(F.softplus(-fooled).mean())
        optimizer_g.step()

    def configure_optimizers(self):
        return torch.optim.Adam(self.generator.parameters()), torch.optim.Adam(self.discriminator.parameters())
