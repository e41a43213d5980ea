import torch
import torch.nn as nn


def gradient_penalty(D, real, fake):
    a = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    inter = (a * real + (1 - a) * fake).requires_grad_(True)
    d = D(inter)
    g = torch.autograd.grad(d, inter, torch.ones_like(d), create_graph=True, retain_graph=True)[0]
    return ((g.view(g.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()


def train(G, D, loader, n_critic=5, lam=10.0, epochs=100):
    og = torch.optim.Adam(G.parameters(), 1e-4, (0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), 1e-4, (0.0, 0.9))
    for epoch in range(epochs):
        for i, (real, _) in enumerate(loader):
            real = real.cuda()
            od.zero_grad()
            z = torch.randn(len(real), 128, device=real.device)
            fake = G(z).detach()
            d_loss = D(fake).mean() - D(real).mean() + lam * gradient_penalty(D, real, fake)
            d_loss.backward()
            od.step()
            if i % n_critic == 0:
                og.zero_grad()
                g_loss = -D(G(z)).mean()
                g_loss.backward()
                og.step()
        print(epoch, d_loss.item(), g_loss.item())
