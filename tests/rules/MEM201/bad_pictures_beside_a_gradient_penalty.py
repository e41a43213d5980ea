# pictures beside a critic with a gradient penalty: it differentiates other outputs

import torch
from torch import autograd, nn, optim

G = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 784), nn.Tanh())
D = nn.Sequential(nn.Linear(784, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
og = optim.Adam(G.parameters(), 1e-4)
od = optim.Adam(D.parameters(), 1e-4)
fixed = torch.randn(36, 16)
pictures, shown = [], []


def gradient_penalty(real, fake):
    mix = (0.5 * real + 0.5 * fake).requires_grad_(True)
    grad, = autograd.grad(D(mix).sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


for step in range(40):
    real = torch.rand(32, 784)
    fake = G(torch.randn(32, 16)).detach()
    od.zero_grad()
    (D(fake).mean() - D(real).mean() + 10 * gradient_penalty(real, fake)).backward()
    od.step()
    og.zero_grad()
    (-D(G(torch.randn(32, 16))).mean()).backward()
    og.step()
    if step % 5 == 0:
        shown.append(G(fixed).detach().cpu())  #! MEM201 warning
print(len(pictures), len(shown))
