import torch
import torch.nn as nn


def pgd(model, x, y, eps=8 / 255, alpha=2 / 255, steps=10):
    adv = x.clone().detach() + torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        adv.requires_grad_()
        loss = nn.functional.cross_entropy(model(adv), y)
        grad = torch.autograd.grad(loss, adv)[0]
        adv = adv.detach() + alpha * grad.sign()
        adv = torch.min(torch.max(adv, x - eps), x + eps).clamp(0, 1)
    return adv.detach()


def test_robust(model, test_loader):
    model.eval()
    err = total = 0
    for x, y in test_loader:
        x, y = x.cuda(), y.cuda()
        adv = pgd(model, x, y)
        with torch.no_grad():
            err += (model(adv).argmax(1) != y).sum().item()
        total += len(y)
    print("robust err", err / total)
    return err / total
