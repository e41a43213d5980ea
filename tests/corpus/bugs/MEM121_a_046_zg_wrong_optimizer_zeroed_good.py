import torch
from torch import nn, optim


def train_cvae_gan(enc, dec, disc, loader, epochs, device="cuda"):
    opt_vae = optim.Adam(list(enc.parameters()) + list(dec.parameters()), lr=1e-4)
    opt_disc = optim.Adam(disc.parameters(), lr=1e-4)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            mu, logvar = enc(x, y)
            z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
            rec = dec(z, y)

            real, fake = disc(x), disc(rec.detach())
            loss_d = bce(real, torch.ones_like(real)) + bce(fake, torch.zeros_like(fake))
            opt_disc.zero_grad()
            loss_d.backward()
            opt_disc.step()

            fake = disc(rec)
            kld = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
            loss_vae = nn.functional.mse_loss(rec, x) + 1e-3 * kld + bce(fake, torch.ones_like(fake))
            opt_vae.zero_grad()
            loss_vae.backward()
            opt_vae.step()
        print(epoch, loss_d.item(), loss_vae.item())
