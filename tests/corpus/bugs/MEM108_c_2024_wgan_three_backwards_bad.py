# WGAN-GP critic step with three backward passes.
import torch
import torch.nn as nn
import torch.optim as optim

use_cuda = torch.cuda.is_available()
DIM, LATENT, LAMBDA, CRITIC_ITERS, ITERS = 64, 16, 10, 5, 200


def block(i, o):
    return nn.Sequential(nn.Linear(i, DIM), nn.ReLU(), nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, o))


netG, netD = block(LATENT, 2), block(2, 1)
if use_cuda:
    netG, netD = netG.cuda(), netD.cuda()
device = "cuda" if use_cuda else "cpu"
optimizerD = optim.Adam(netD.parameters(), lr=1e-4, betas=(0.5, 0.9))
optimizerG = optim.Adam(netG.parameters(), lr=1e-4, betas=(0.5, 0.9))


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(real.size(0), 1, device=device)
    mid = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = netD(mid)
    grad = torch.autograd.grad(out, mid, torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


for iteration in range(ITERS):
    for p in netD.parameters():
        p.requires_grad = True
    for iter_d in range(CRITIC_ITERS):
        real = torch.randn(128, 2, device=device) * 0.02 + 1
        netD.zero_grad()
        D_real = netD(real).mean()
        (-D_real).backward(retain_graph=True)  #! MEM108
        with torch.no_grad():
            fake = netG(torch.randn(128, LATENT, device=device))
        D_fake = netD(fake).mean()
        D_fake.backward(retain_graph=True)  #! MEM108
        gradient_penalty = calc_gradient_penalty(netD, real, fake)
        gradient_penalty.backward(retain_graph=True)  #! MEM108
        optimizerD.step()
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G = -netD(netG(torch.randn(128, LATENT, device=device))).mean()
    G.backward()
    optimizerG.step()
    if iteration % 50 == 0:
        print(iteration, D_real.item() - D_fake.item(), G.item())
