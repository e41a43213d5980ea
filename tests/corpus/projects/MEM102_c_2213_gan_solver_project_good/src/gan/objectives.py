import torch
import torch.nn.functional as F


def hinge_d(real_scores, fake_scores):
    return F.relu(1 - real_scores).mean() + F.relu(1 + fake_scores).mean()


def hinge_g(fake_scores):
    return -fake_scores.mean()


def r1_penalty(disc, real):
    real = real.detach().requires_grad_(True)
    (grad,) = torch.autograd.grad(disc(real).sum(), real, create_graph=True)
    return grad.pow(2).flatten(1).sum(1).mean()
