import torch
from torch import autograd, nn


def gradient_penalty(D, real, fake):
    eps = torch.rand(real.size(0), 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(mix)
    g = autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


class Trainer:
    def __init__(self, G, D, lr=1e-4, n_critic=5, lam=10):
        self.G, self.D = G, D
        self.g_opt = torch.optim.Adam(G.parameters(), lr, betas=(0.0, 0.9))
        self.d_opt = torch.optim.Adam(D.parameters(), lr, betas=(0.0, 0.9))
        self.n_critic, self.lam = n_critic, lam
        self.losses = {"G": [], "D": [], "GP": [], "gradient_norm": []}
        self.num_steps = 0

    def _critic_iter(self, real):
        fake = self.G(torch.randn(real.size(0), 64, device=real.device)).detach()
        gp = self.lam * gradient_penalty(self.D, real, fake)
        self.d_opt.zero_grad()
        d_loss = self.D(fake).mean() - self.D(real).mean() + gp
        d_loss.backward()
        self.d_opt.step()
        self.losses["GP"].append(gp.item())
        self.losses["D"].append(d_loss.item())

    def _gen_iter(self, n, device):
        self.g_opt.zero_grad()
        g_loss = -self.D(self.G(torch.randn(n, 64, device=device))).mean()
        g_loss.backward()
        self.g_opt.step()
        self.losses["G"].append(g_loss.data)

    def train(self, loader, epochs, device="cuda"):
        for epoch in range(epochs):
            for x, in loader:
                self.num_steps += 1
                self._critic_iter(x.to(device))
                if self.num_steps % self.n_critic == 0:
                    self._gen_iter(x.size(0), device)
            print(epoch, self.num_steps, float(self.losses["D"][-1]))
