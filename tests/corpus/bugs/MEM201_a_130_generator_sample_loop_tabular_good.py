import numpy as np
import torch
from torch import nn, optim


class TabGAN:
    def __init__(self, dim, latent=64, batch_size=500):
        self.latent, self.batch_size = latent, batch_size
        self._generator = nn.Sequential(nn.Linear(latent, 256), nn.ReLU(), nn.Linear(256, dim))
        self._critic = nn.Sequential(nn.Linear(dim, 256), nn.LeakyReLU(), nn.Linear(256, 1))

    def fit(self, data, epochs=300):
        og = optim.Adam(self._generator.parameters(), 2e-4)
        od = optim.Adam(self._critic.parameters(), 2e-4)
        for _ in range(epochs):
            for s in range(0, len(data), self.batch_size):
                real = torch.from_numpy(data[s:s + self.batch_size]).float()
                fake = self._generator(torch.randn(len(real), self.latent))
                loss_d = self._critic(fake.detach()).mean() - self._critic(real).mean()
                od.zero_grad()
                loss_d.backward()
                od.step()
                loss_g = -self._critic(fake).mean()
                og.zero_grad()
                loss_g.backward()
                og.step()

    def sample(self, n):
        self._generator.eval()
        rows = []
        for _ in range(n // self.batch_size + 1):
            z = torch.randn(self.batch_size, self.latent)
            with torch.no_grad():
                fake = self._generator(z)
            rows.append(fake.detach().cpu().numpy())
        return np.concatenate(rows)[:n]
