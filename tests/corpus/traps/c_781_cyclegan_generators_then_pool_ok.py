import itertools
import random

import torch


class Pool:
    def __init__(self, size=50):
        self.images, self.size = [], size

    def query(self, image):
        image = image.detach()
        if len(self.images) < self.size:
            self.images.append(image)
            return image
        i = random.randrange(self.size)
        old, self.images[i] = self.images[i], image
        return old


def train(g_ab, g_ba, d_a, d_b, loader, lam=10.0):
    opt_g = torch.optim.Adam(itertools.chain(g_ab.parameters(), g_ba.parameters()), 2e-4)
    opt_d = torch.optim.Adam(itertools.chain(d_a.parameters(), d_b.parameters()), 2e-4)
    pool_a, pool_b = Pool(), Pool()
    for a, b in loader:
        fake_b, fake_a = g_ab(a), g_ba(b)
        cycle = (g_ba(fake_b) - a).abs().mean() + (g_ab(fake_a) - b).abs().mean()
        loss_g = (d_b(fake_b) - 1).pow(2).mean() + (d_a(fake_a) - 1).pow(2).mean() + lam * cycle
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        opt_d.zero_grad()
        for d, real, fake in ((d_a, a, pool_a.query(fake_a)), (d_b, b, pool_b.query(fake_b))):
            loss_d = 0.5 * ((d(real) - 1).pow(2).mean() + d(fake).pow(2).mean())
            loss_d.backward()
        opt_d.step()
