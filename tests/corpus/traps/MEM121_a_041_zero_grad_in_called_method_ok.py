import torch
from torch import nn


class Base:
    def set_requires_grad(self, nets, flag):
        for net in nets:
            for p in net.parameters():
                p.requires_grad = flag


class Pix2Pix(Base):
    def __init__(self, G, D):
        self.netG, self.netD = G, D
        self.optimizer_G = torch.optim.Adam(G.parameters(), 2e-4)
        self.optimizer_D = torch.optim.Adam(D.parameters(), 2e-4)
        self.optimizers = [self.optimizer_G, self.optimizer_D]

    def set_input(self, data):
        self.a, self.b = data["A"].cuda(), data["B"].cuda()

    def backward_D(self):
        loss = self.netD(self.fake.detach()).mean() - self.netD(self.b).mean()
        loss.backward()

    def backward_G(self):
        loss = (self.fake - self.b).abs().mean() * 100 - self.netD(self.fake).mean()
        loss.backward()

    def _clear(self):
        for o in self.optimizers:
            o.zero_grad()

    def optimize_parameters(self):
        self.fake = self.netG(self.a)
        self._clear()
        self.backward_D()
        self.optimizer_D.step()
        self._clear()
        self.backward_G()
        self.optimizer_G.step()


def main(dataset, model, epochs):
    for e in range(epochs):
        for data in dataset:
            model.set_input(data)
            model.optimize_parameters()
