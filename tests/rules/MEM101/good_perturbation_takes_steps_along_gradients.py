# projected gradient descent: the perturbation takes steps along gradients

import torch
import torch.nn.functional as F


def pgd_attack(model, x, y, eps=0.03, alpha=0.01, steps=10):
    delta = torch.zeros_like(x)
    for _ in range(steps):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model(x + delta), y)
        grad = torch.autograd.grad(loss, delta)[0]
        delta = (delta.detach() + alpha * grad.sign()).clamp(-eps, eps)
    return x + delta


net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(5, 3, 4):
    y = torch.zeros(3, dtype=torch.long)
    opt.zero_grad()
    F.cross_entropy(net(pgd_attack(net, x, y)), y).backward()
    opt.step()
