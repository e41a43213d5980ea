import numpy as np
import torch
from torchvision import models


def vanilla_saliency(model, loader, device="cuda"):
    model.eval()
    maps = []
    for x, y in loader:
        x = x.to(device).requires_grad_()
        scores = model(x)
        score = scores.gather(1, y.to(device).view(-1, 1)).sum()
        score.backward()
        saliency, _ = x.grad.abs().max(dim=1)
        maps.append(saliency.cpu().numpy())
    return np.concatenate(maps)


def integrated_gradients(model, x, target, steps=32):
    baseline = torch.zeros_like(x)
    total = 0
    for a in torch.linspace(0, 1, steps):
        xi = (baseline + a * (x - baseline)).requires_grad_()
        out = model(xi)[:, target].sum()
        total += torch.autograd.grad(out, xi)[0]
    return (x - baseline) * total / steps
