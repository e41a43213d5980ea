import itertools

import torch
from torch import nn


def conv():
    return nn.Conv2d(3, 3, 3, padding=1)


class CycleModel:
    def __init__(self, lr):
        self.G_AB, self.G_BA, self.D_B = conv(), conv(), nn.Conv2d(3, 1, 4, 2, 1)
        self.opt_G = torch.optim.Adam(itertools.chain(self.G_AB.parameters(), self.G_BA.parameters()), lr=lr)
        self.opt_D = torch.optim.Adam(self.D_B.parameters(), lr=lr)
        self.mse, self.l1 = nn.MSELoss(), nn.L1Loss()

    def g_loss(self, a):
        fake_b = self.G_AB(a)
        pred = self.D_B(fake_b)
        return self.mse(pred, torch.ones_like(pred)) + 10 * self.l1(self.G_BA(fake_b), a)

    def d_loss(self, a, b):
        real = self.D_B(b)
        fake = self.D_B(self.G_AB(a))  #! MEM204
        return 0.5 * (self.mse(real, torch.ones_like(real)) + self.mse(fake, torch.zeros_like(fake)))

    def train_batch(self, a, b):
        self.opt_G.zero_grad()
        self.g_loss(a).backward()
        self.opt_G.step()
        self.opt_D.zero_grad()
        self.d_loss(a, b).backward()
        self.opt_D.step()


model = CycleModel(2e-4)
for _ in range(4):
    model.train_batch(torch.randn(1, 3, 32, 32), torch.randn(1, 3, 32, 32))
