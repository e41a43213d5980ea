import os
import torch
from torch import nn


class Solver(object):
    def __init__(self, loader, config):
        self.loader = loader
        self.G = config.make_generator()
        self.D = config.make_discriminator()
        self.g_optim = torch.optim.Adam(self.G.parameters(), 1e-4, [0.5, 0.999])
        self.d_optim = torch.optim.Adam(self.D.parameters(), 1e-4, [0.5, 0.999])
        self.g_loss_log = []
        self.d_loss_log = []
        self.num_iters = config.num_iters
        self.device = torch.device('cuda')

    def reset_grad(self):
        self.g_optim.zero_grad()
        self.d_optim.zero_grad()

    def train(self):
        data_iter = iter(self.loader)
        for i in range(self.num_iters):
            try:
                x_real, _ = next(data_iter)
            except StopIteration:
                data_iter = iter(self.loader)
                x_real, _ = next(data_iter)
            x_real = x_real.to(self.device)
            z = torch.randn(x_real.size(0), 128, device=self.device)

            out_src = self.D(x_real)
            d_loss_real = -torch.mean(out_src)
            x_fake = self.G(z)
            d_loss_fake = torch.mean(self.D(x_fake.detach()))
            d_loss = d_loss_real + d_loss_fake
            self.reset_grad()
            d_loss.backward()
            self.d_optim.step()
            self.d_loss_log.append(d_loss.item())

            if (i + 1) % 5 == 0:
                g_loss = -torch.mean(self.D(self.G(z)))
                self.reset_grad()
                g_loss.backward()
                self.g_optim.step()
                self.g_loss_log.append(g_loss.item())
