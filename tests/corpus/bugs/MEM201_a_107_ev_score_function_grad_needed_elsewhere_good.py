import torch
import torch.nn as nn


def fgsm(model, x, y, eps):
    x = x.clone().requires_grad_(True)
    nn.functional.cross_entropy(model(x), y).backward()
    return (x + eps * x.grad.sign()).clamp(0, 1).detach()


def robust_accuracy(model, loader, eps=8 / 255):
    model.eval()
    clean = robust = n = 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        adv = fgsm(model, x, y, eps)
        model.zero_grad()
        with torch.no_grad():
            robust += (model(adv).argmax(1) == y).sum().item()
        n += len(y)
    with torch.no_grad():
        for x, y in loader:
            clean += (model(x.cuda()).argmax(1) == y.cuda()).sum().item()
    return clean / n, robust / n
