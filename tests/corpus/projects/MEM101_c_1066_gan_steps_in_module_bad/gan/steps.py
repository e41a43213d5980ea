import torch
import torch.nn.functional as F


def d_step(g, d, opt_d, real, z):
    opt_d.zero_grad()
    fake = g(z)
    f = d(fake)  #! MEM204
    r = d(real)
    loss = F.softplus(f).mean() + F.softplus(-r).mean()
    loss.backward()
    opt_d.step()
    return loss


def g_step(g, d, opt_g, z):
    opt_g.zero_grad()
    loss = F.softplus(-d(g(z))).mean()
    loss.backward()
    opt_g.step()
    return loss
