# an adversarial attack keeps detached pictures

import torch
import torch.nn.functional as F


def pgd(model, loader, eps=0.03):
    model.eval()
    adversarial = []
    for x, y in loader:
        adv = x.clone().requires_grad_(True)
        loss = F.cross_entropy(model(adv), y)
        grad = torch.autograd.grad(loss, adv)[0]
        adversarial.append((adv + eps * grad.sign()).detach())
    return torch.cat(adversarial)
