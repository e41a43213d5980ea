import torch


def critic_step(D, opt, real, fake, lam=10.0):
    eps = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake.detach()).requires_grad_(True)
    g, = torch.autograd.grad(D(mix).sum(), mix, create_graph=True)
    penalty = (g.flatten(1).norm(dim=1) - 1).pow(2).mean()
    loss = D(fake.detach()).mean() - D(real).mean() + lam * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def train(G, D, loader, device):
    opt_d = torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))
    for real, _ in loader:
        real = real.to(device)
        with torch.no_grad():
            fake = G(torch.randn(real.size(0), 128, device=device))
        critic_step(D, opt_d, real, fake)
