import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=2)
parser.add_argument("--latent_dim", type=int, default=16)
opt = parser.parse_args()

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(opt.latent_dim, 32), nn.ReLU(), nn.Linear(32, 8))
discriminator = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())
adversarial_loss = nn.BCELoss()
optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
loader = [torch.randn(16, 8) for _ in range(4)]

for epoch in range(opt.n_epochs):
    for i, real in enumerate(loader):
        valid = torch.ones(real.size(0), 1)
        fake = torch.zeros(real.size(0), 1)

        optimizer_D.zero_grad()
        z = torch.randn(real.size(0), opt.latent_dim)
        gen = generator(z)
        d_loss = (adversarial_loss(discriminator(real), valid) + adversarial_loss(discriminator(gen), fake)) / 2  #! MEM204
        d_loss.backward()
        optimizer_D.step()

        optimizer_G.zero_grad()
        gen = generator(torch.randn(real.size(0), opt.latent_dim))
        g_loss = adversarial_loss(discriminator(gen), valid)
        g_loss.backward()
        optimizer_G.step()
        print(f"[{epoch}/{i}] D {d_loss.item():.6f} G {g_loss.item():.6f}")
