# the optimizers are attributes of networks from another file

import torch
import torch.nn.functional as F
from nets import Discriminator, Generator


def train(loader, device):
    generator, discriminator = Generator().to(device), Discriminator().to(device)
    for real in loader:
        discriminator.zero_grad()
        true = discriminator(real.to(device)).view(-1)
        loss_true = F.binary_cross_entropy(true, torch.ones_like(true))
        loss_true.backward()
        made = generator(torch.randn(len(real), 64, device=device))
        false = discriminator(made).view(-1)  #! MEM204 warning
        loss_false = F.binary_cross_entropy(false, torch.zeros_like(false))
        loss_false.backward()
        discriminator.optimizer.step()

        generator.zero_grad()
        made = generator(torch.randn(len(real), 64, device=device))
        fooled = discriminator(made).view(-1)
        F.binary_cross_entropy(fooled, torch.ones_like(fooled)).backward()
        generator.optimizer.step()
