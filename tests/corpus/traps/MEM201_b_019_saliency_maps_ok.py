import numpy as np
import torch


def smoothgrad(model, img, target, n=25, sigma=0.15):
    model.eval()
    total = torch.zeros_like(img)
    for _ in range(n):
        noisy = (img + sigma * torch.randn_like(img)).requires_grad_(True)
        score = model(noisy)[0, target]
        grad, = torch.autograd.grad(score, noisy)
        total += grad.abs()
    return (total / n).max(1).values[0].cpu().numpy()


def main(model, loader, out):
    maps = []
    for x, y in loader:
        for i in range(len(x)):
            maps.append(smoothgrad(model, x[i:i + 1], y[i].item()))
    np.save(out, np.stack(maps))
