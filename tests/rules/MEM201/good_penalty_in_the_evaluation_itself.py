# what evaluates may differentiate with respect to its inputs, whatever trained before

import torch

from parts import Critic, gradient_penalty


def main(loader, held_out, device):
    critic = Critic().to(device)
    optimizer = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for real in loader:
        optimizer.zero_grad()
        critic(real.to(device)).mean().backward()
        optimizer.step()
    critic.eval()
    total = 0.0
    for real in held_out:
        real = real.to(device)
        fake = torch.randn_like(real)
        total += (critic(real).mean() + gradient_penalty(critic, real, fake)).item()
    print(total)
