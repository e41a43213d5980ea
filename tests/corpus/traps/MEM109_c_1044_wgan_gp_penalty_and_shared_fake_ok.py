import torch
import torch.nn as nn
from torch import autograd


def gradient_penalty(D, real, fake, lambda_=10.0):
    alpha = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    x = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = D(x)
    g = autograd.grad(out, x, torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return lambda_ * ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


class GANTrainer:
    def __init__(self, G, D, lr=1e-4):
        self.G, self.D = G, D
        self.g_opt = torch.optim.Adam(G.parameters(), lr, (0.5, 0.9))
        self.d_opt = torch.optim.Adam(D.parameters(), lr, (0.5, 0.9))
        self.num_steps = 0
        self.losses = {"G": [], "D": [], "GP": [], "norm": []}

    def _critic(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(real.size(0), 128, device=real.device))
        d_real, d_fake = self.D(real), self.D(fake)
        gp = gradient_penalty(self.D, real, fake)
        self.losses["GP"].append(gp.item())
        self.d_opt.zero_grad()
        loss = d_fake.mean() - d_real.mean() + gp
        loss.backward()
        self.d_opt.step()
        self.losses["D"].append(loss.item())

    def _generator(self, n, device):
        self.g_opt.zero_grad()
        for p in self.D.parameters():
            p.requires_grad_(False)
        loss = -self.D(self.G(torch.randn(n, 128, device=device))).mean()
        loss.backward()
        self.g_opt.step()
        for p in self.D.parameters():
            p.requires_grad_(True)
        self.losses["G"].append(loss.item())

    def train_epoch(self, loader):
        for i, (x, _) in enumerate(loader):
            self.num_steps += 1
            self._critic(x.cuda())
            if self.num_steps % 5 == 0:
                self._generator(x.size(0), "cuda")


class SharedFake:
    """One generator pass for both steps."""

    def __init__(self, G, D):
        self.G, self.D = G, D
        self.og, self.od = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real):
        fake = self.G(torch.randn(len(real), 128))
        self.od.zero_grad()
        r, f = self.D(real), self.D(fake.detach())
        d_loss = self.bce(r, torch.ones_like(r)) + self.bce(f, torch.zeros_like(f))
        d_loss.backward()
        self.od.step()
        self.og.zero_grad()
        f = self.D(fake)
        g_loss = self.bce(f, torch.ones_like(f))
        g_loss.backward()
        self.og.step()
        return {"d": d_loss.detach(), "g": g_loss.detach()}
