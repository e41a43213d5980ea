# Variational autoencoder whose losses come as a NamedTuple, and pile up as such.
from typing import List, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Elbo(NamedTuple):
    total: Tensor
    reconstruction: Tensor
    kl: Tensor


class Vae(nn.Module):
    def __init__(self, x: int = 50, h: int = 128, z: int = 6) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(x, h), nn.ReLU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, x))

    def forward(self, x: Tensor) -> Elbo:
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="sum") / len(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return Elbo(rec + kl, rec, kl)


def train_epoch(vae: Vae, optimizer: torch.optim.Optimizer, data: Tensor) -> Elbo:
    elbos: List[Elbo] = []
    for x in data.split(32):
        optimizer.zero_grad()
        elbo = vae(x)
        elbo.total.backward()
        optimizer.step()
        elbos.append(Elbo(*(term.item() for term in elbo)))
    return Elbo(*(sum(terms) / len(elbos) for terms in zip(*elbos)))


vae = Vae()
optimizer = torch.optim.Adam(vae.parameters(), 1e-3)
data = torch.rand(4096, 50).round()
for epoch in range(5):
    elbo = train_epoch(vae, optimizer, data)
    print(epoch, *(round(float(term), 3) for term in elbo))
