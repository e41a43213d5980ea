# two discriminators judge one picture: both have to get it detached

import torch
from torch import nn


class Trainer:
    def __init__(self, generator, near, far):
        self.generator, self.near, self.far = generator.cuda(), near.cuda(), far.cuda()
        self.g_optim = torch.optim.Adam(self.generator.parameters(), 1e-4)
        self.d_optim = torch.optim.Adam([*self.near.parameters(), *self.far.parameters()], 1e-4)
        self.loss = nn.MSELoss()

    def fit(self, loader):
        for real, source in loader:
            real, source = real.cuda(), source.cuda()
            self.d_optim.zero_grad()
            fake = self.generator(source)
            near, far = self.near(fake.detach()), self.far(fake.detach())
            d_loss = self.loss(near, torch.zeros_like(near)) + self.loss(far, torch.zeros_like(far))
            d_loss = d_loss + self.loss(self.near(real), torch.ones_like(near))
            d_loss.backward()
            self.d_optim.step()
            self.g_optim.zero_grad()
            fake = self.generator(source)
            g_loss = -self.near(fake).mean() - self.far(fake).mean()
            g_loss.backward()
            self.g_optim.step()
