# functions called from main: Wasserstein critic, nested call

import torch
from torch import nn, optim


def critic_step(critic, generator, optimizer, real):
    optimizer.zero_grad()
    z = torch.randn(real.size(0), 4)
    loss = critic(generator(z)).mean() - critic(real).mean()  #! MEM204 warning
    loss.backward()
    optimizer.step()


def generator_step(critic, generator, optimizer):
    optimizer.zero_grad()
    loss = -critic(generator(torch.randn(8, 4))).mean()
    loss.backward()
    optimizer.step()


def main():
    generator, critic = nn.Linear(4, 6), nn.Linear(6, 1)
    g_optim = optim.RMSprop(generator.parameters(), lr=5e-5)
    c_optim = optim.RMSprop(critic.parameters(), lr=5e-5)
    for step, real in enumerate(torch.randn(200, 8, 6)):
        critic_step(critic, generator, c_optim, real)
        if step % 5 == 0:
            generator_step(critic, generator, g_optim)


if __name__ == "__main__":
    main()
