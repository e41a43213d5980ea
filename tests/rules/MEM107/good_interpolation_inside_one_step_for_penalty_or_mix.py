# an interpolation inside one step, for a penalty or a mix of two batches

import torch

critic = torch.nn.Linear(5, 1)
opt = torch.optim.Adam(critic.parameters())
for real, fake in zip(torch.randn(9, 4, 5), torch.randn(9, 4, 5)):
    eps = torch.rand(4, 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    mean = critic(real).mean()
    mean = 0.5 * mean + 0.5 * critic(mixed).mean()
    opt.zero_grad()
    mean.backward()
    opt.step()
