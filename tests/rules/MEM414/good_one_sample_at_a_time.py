# One transition: (1,) against (1,).

import torch
from torch import nn

critic = nn.Linear(4, 1)
loss_fn = nn.SmoothL1Loss()


def update(state, reward):
    target = torch.tensor([reward])
    loss = loss_fn(critic(torch.tensor(state)), target)
    loss.backward()
