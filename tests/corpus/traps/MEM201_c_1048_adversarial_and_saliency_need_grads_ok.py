import torch
import torch.nn as nn
import torch.nn.functional as F


def fgsm(model, x, y, eps):
    x = x.clone().detach().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    model.zero_grad()
    loss.backward()
    return (x + eps * x.grad.sign()).clamp(0, 1).detach()


def robust_accuracy(model, loader, eps):
    model.eval()
    correct = n = 0
    for x, y in loader:
        adv = fgsm(model, x.cuda(), y.cuda(), eps)
        with torch.no_grad():
            correct += (model(adv).argmax(1) == y.cuda()).sum().item()
        n += len(y)
    return correct / n


def integrated_gradients(model, x, target, steps=32):
    model.eval()
    total = torch.zeros_like(x)
    for a in torch.linspace(0, 1, steps):
        xi = (x * a).requires_grad_()
        score = model(xi)[:, target].sum()
        (g,) = torch.autograd.grad(score, xi)
        total += g
    return total / steps * x


def deep_dream(model, img, iters=20, lr=0.1):
    img = img.clone().requires_grad_(True)
    opt = torch.optim.Adam([img], lr=lr)
    for _ in range(iters):
        opt.zero_grad()
        loss = -model(img).norm()
        loss.backward()
        opt.step()
    return img.detach()


def sensitivity_map(net, loader):
    net.eval()
    maps = []
    for x, y in loader:
        x.requires_grad = True
        net(x).gather(1, y[:, None]).sum().backward()
        maps.append(x.grad.abs().amax(1).cpu())
        net.zero_grad()
    return torch.cat(maps)
