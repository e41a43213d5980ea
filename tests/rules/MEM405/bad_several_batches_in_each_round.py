# the iterator is made before the outer loop, so that all rounds together go through the data

import torch
from torch.utils.data import DataLoader


def train(images, generator, critic, opt_g, opt_c, rounds):
    loader = DataLoader(images, batch_size=64, shuffle=True)
    for _ in range(rounds):
        for _ in range(5):
            real = next(iter(loader))  #! MEM405 warning
            fake = generator(torch.randn(64, 100)).detach()
            opt_c.zero_grad()
            (critic(fake).mean() - critic(real).mean()).backward()
            opt_c.step()
        opt_g.zero_grad()
        (-critic(generator(torch.randn(64, 100))).mean()).backward()
        opt_g.step()
