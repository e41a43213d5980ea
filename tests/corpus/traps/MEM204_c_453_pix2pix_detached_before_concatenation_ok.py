import torch
from torch import nn


def train(generator, discriminator, pairs, g_optimizer, d_optimizer, lambda_l1=100.0):
    bce = nn.BCEWithLogitsLoss()
    for source, target in pairs:
        fake = generator(source)
        d_fake = discriminator(torch.cat([source, fake.detach()], dim=1))
        d_real = discriminator(torch.cat([source, target], dim=1))
        d_loss = (bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))) / 2
        d_optimizer.zero_grad()
        d_loss.backward()
        d_optimizer.step()

        d_fake = discriminator(torch.cat([source, fake], dim=1))
        g_loss = bce(d_fake, torch.ones_like(d_fake)) + lambda_l1 * (fake - target).abs().mean()
        g_optimizer.zero_grad()
        g_loss.backward()
        g_optimizer.step()


def main():
    g, d = nn.Conv2d(3, 3, 3, 1, 1), nn.Conv2d(6, 1, 4, 2, 1)
    data = [(torch.randn(1, 3, 16, 16), torch.randn(1, 3, 16, 16))] * 3
    train(g, d, data, torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters()))


main()
