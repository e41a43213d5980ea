"""WGAN-GP, R1 and MAML use create_graph in autograd.grad."""
import torch
from torch import autograd, nn


def gradient_penalty(D, real, fake):
    a = torch.rand(real.size(0), 1, device=real.device)
    x = (a * real + (1 - a) * fake).requires_grad_(True)
    out = D(x)
    g = autograd.grad(out, x, torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


def train(G, D, loader, nz=64, n_critic=5):
    og = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))
    for i, real in enumerate(loader):
        z = torch.randn(real.size(0), nz)
        fake = G(z).detach()
        loss_d = D(fake).mean() - D(real).mean() + 10 * gradient_penalty(D, real, fake)
        od.zero_grad()
        loss_d.backward()
        od.step()
        if i % n_critic == 0:
            for p in D.parameters():
                p.requires_grad_(False)
            loss_g = -D(G(z)).mean()
            og.zero_grad()
            loss_g.backward()
            og.step()
            for p in D.parameters():
                p.requires_grad_(True)


def maml(net, tasks, inner_lr, opt):
    for batch in tasks:
        meta = 0.0
        for xs, ys, xq, yq in batch:
            fast = dict(net.named_parameters())
            l = nn.functional.mse_loss(torch.func.functional_call(net, fast, xs), ys)
            gs = autograd.grad(l, fast.values(), create_graph=True)
            fast = {k: p - inner_lr * g for (k, p), g in zip(fast.items(), gs)}
            meta = meta + nn.functional.mse_loss(torch.func.functional_call(net, fast, xq), yq)
        opt.zero_grad()
        meta.backward()
        opt.step()
