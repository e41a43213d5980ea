# Evaluation under attack: the loop needs gradients with respect to the images.
import torch
import torch.nn.functional as F
from torch import nn

net = nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).eval().requires_grad_(False)


def evaluate_under_attack(loader, eps=0.1):
    robust = 0
    for x, y in loader:
        delta = torch.zeros_like(x, requires_grad=True)
        for _ in range(5):
            loss = F.cross_entropy(net(x + delta), y)
            (grad,) = torch.autograd.grad(loss, delta)
            delta = (delta + 0.03 * grad.sign()).clamp(-eps, eps).detach().requires_grad_(True)
        with torch.no_grad():
            robust += (net(x + delta).argmax(1) == y).sum().item()
    return robust


print(evaluate_under_attack([(torch.rand(16, 1, 8, 8), torch.randint(10, (16,))) for _ in range(20)]))
