# the loss comes from code out of view, but the graph of the samples is cut where they are made

import torch
from torchvision.utils import save_image


def train(generator, critic, loader, losses):
    optimizer_g = torch.optim.Adam(generator.parameters())
    optimizer_d = torch.optim.Adam(critic.parameters())
    fixed = torch.randn(36, 64)
    for step, real in enumerate(loader):
        fake = generator(torch.randn(len(real), 64)).detach()
        loss_d = losses.of_critic(real, fake)
        optimizer_d.zero_grad()
        loss_d.backward()
        optimizer_d.step()
        loss_g = losses.of_generator(real, generator(torch.randn(len(real), 64)))
        optimizer_g.zero_grad()
        loss_g.backward()
        optimizer_g.step()
        if step % 100 == 0:
            save_image(generator(fixed).detach(), f"{step}.png")  #! MEM201 warning
