import torch
import torch.nn.functional as F


def fgsm(model, x, y, eps):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    model.zero_grad()
    loss.backward()
    return (x + eps * x.grad.sign()).clamp(0, 1).detach()


def test(model, loader, eps):
    model.eval()
    correct = 0
    for x, y in loader:
        adv = fgsm(model, x, y, eps)
        with torch.no_grad():
            correct += (model(adv).argmax(1) == y).sum().item()
    print(eps, correct / len(loader.dataset))


def sweep(model, loader):
    for eps in (0, .05, .1, .2, .3):
        test(model, loader, eps)
