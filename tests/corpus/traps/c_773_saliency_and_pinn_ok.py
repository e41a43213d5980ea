import torch
from torch import nn


def residual(net, xt):
    xt = xt.requires_grad_(True)
    u = net(xt)
    du, = torch.autograd.grad(u.sum(), xt, create_graph=True)
    return du[:, 1] + u[:, 0] * du[:, 0]


def pinn(net, loader, opt):
    for (xt,) in loader:
        loss = residual(net, xt).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def fgsm(net, loader, opt, crit, eps):
    for x, y in loader:
        x.requires_grad = True
        clean = crit(net(x), y)
        net.zero_grad()
        clean.backward()
        adv = (x + eps * x.grad.sign()).clamp(0, 1).detach()
        opt.zero_grad()
        crit(net(adv), y).backward()
        opt.step()
