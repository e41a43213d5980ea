import torch
import torch.nn as nn
import torch.nn.functional as F
from tqdm import tqdm


class GaussianDiffusion:
    def __init__(self, model, T=1000, device="cuda"):
        self.model, self.T, self.device = model.to(device), T, device
        self.beta = torch.linspace(1e-4, 0.02, T, device=device)
        self.alpha = 1 - self.beta
        self.abar = torch.cumprod(self.alpha, 0)

    def q_sample(self, x0, t, noise):
        a = self.abar[t].view(-1, 1, 1, 1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def loss(self, x0):
        t = torch.randint(0, self.T, (x0.size(0),), device=self.device)
        eps = torch.randn_like(x0)
        return F.mse_loss(self.model(self.q_sample(x0, t, eps), t), eps)

    def sample(self, n, shape):
        self.model.eval()
        x = torch.randn(n, *shape, device=self.device)
        for i in tqdm(reversed(range(self.T)), total=self.T):
            t = torch.full((n,), i, device=self.device, dtype=torch.long)
            eps = self.model(x, t)  #! MEM201
            z = torch.randn_like(x) if i > 0 else 0
            coef = self.beta[i] / (1 - self.abar[i]).sqrt()
            x = (x - coef * eps) / self.alpha[i].sqrt() + self.beta[i].sqrt() * z  #? MEM101
        self.model.train()
        return ((x.clamp(-1, 1) + 1) * 127.5).byte()


def train(diff, loader, epochs, lr=2e-4):
    opt = torch.optim.AdamW(diff.model.parameters(), lr=lr)
    for epoch in range(epochs):
        bar = tqdm(loader)
        for x, _ in bar:
            loss = diff.loss(x.to(diff.device))
            opt.zero_grad()
            loss.backward()
            opt.step()
            bar.set_postfix(mse=loss.item())
        imgs = diff.sample(16, (3, 32, 32))
        torch.save(imgs.cpu(), f"samples_{epoch}.pt")
