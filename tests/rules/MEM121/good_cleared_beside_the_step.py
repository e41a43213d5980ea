# what the step uses is not what was cleared

import torch
import torch.nn.functional as F


def sam(model, opt, loader):
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        opt.first_step(zero_grad=True)
        F.mse_loss(model(x), y).backward()
        opt.step()
        opt.zero_grad()


def kept(model, opt, loader):
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        grads = [p.grad.clone() for p in model.parameters()]
        opt.zero_grad()
        for p, g in zip(model.parameters(), grads):
            p.grad = g
        opt.step()


def late(model, opt, loader):
    for x, y in loader:
        opt.step()
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()


def two(model, opt, opt2, loader):
    for x, y in loader:
        l = F.mse_loss(model(x), y)
        l.backward()
        opt2.zero_grad()
        opt.step()
        opt.zero_grad()
