# the gradients of made-up inputs are cleared, those of the network are not

import torch
import torch.nn as nn


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters(), 1e-4)
    for real in loader:
        fake = torch.rand_like(real).cuda()
        fake.requires_grad = True
        for _ in range(steps):
            (slope,) = torch.autograd.grad(model(fake).sum(), fake)
            fake.data.add_(slope, alpha=-0.1)
        if fake.grad is not None:
            fake.grad.zero_()
        loss = model(fake.detach()).mean() - model(real.cuda()).mean()
        loss.backward()  #! MEM121 error
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
