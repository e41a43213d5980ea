"""Frozen nets the gradient must flow through, or that record nothing."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import models


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = models.vgg19(weights="DEFAULT").features[:18].eval()
        for p in self.vgg.parameters():
            p.requires_grad = False

    def forward(self, x, y):
        return F.l1_loss(self.vgg(x), self.vgg(y).detach())


class SR:
    def __init__(self, g, dev):
        self.g, self.dev = g.to(dev), dev
        self.perc = Perceptual().to(dev)
        self.opt = torch.optim.Adam(self.g.parameters(), 1e-4)

    def step(self, lr, hr):
        sr = self.g(lr)
        loss = F.l1_loss(sr, hr) + 0.1 * self.perc(sr, hr)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad = flag


def byol(online, target, predictor, loader):
    set_requires_grad(target, False)
    opt = torch.optim.Adam(list(online.parameters()) + list(predictor.parameters()))
    for a, b in loader:
        p = predictor(online(a))
        z = target(b)
        loss = 2 - 2 * F.cosine_similarity(p, z.detach(), dim=-1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


@torch.no_grad()
def teacher_out(teacher, x):
    return teacher(x).softmax(-1)


def distill(teacher, student, opt, loader):
    for x, y in loader:
        t = teacher_out(teacher, x)
        loss = F.kl_div(student(x).log_softmax(-1), t)
        opt.zero_grad()
        loss.backward()
        opt.step()


def mutual(a, b, loader):
    opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
    for x, y in loader:
        la, lb = a(x), b(x)
        loss = F.cross_entropy(la, y) + F.cross_entropy(lb, y) + F.kl_div(la.log_softmax(1), lb.softmax(1).detach())
        opt.zero_grad()
        loss.backward()
        opt.step()
