# gradients of gradients

import torch
from torch import nn

critic = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).cuda()
for x in torch.load("data.pt"):
    x = x.cuda().requires_grad_()
    (grads,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    (critic(x).mean() + (grads.norm(dim=1) - 1).pow(2).mean()).backward()
