import argparse

import torch
from torch import nn, optim


def restore(path, **parts):
    ckpt = torch.load(path, map_location=lambda storage, loc: storage)
    for name, part in parts.items():
        part.load_state_dict(ckpt[name])
    return ckpt["iter"]


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--ckpt", type=str, default=None)
    args = p.parse_args()
    g, d = nn.Linear(128, 784).cuda(), nn.Linear(784, 1).cuda()
    g_optim, d_optim = optim.Adam(g.parameters(), 2e-3), optim.Adam(d.parameters(), 2e-3)
    start = restore(args.ckpt, g=g, d=d, g_optim=g_optim, d_optim=d_optim) if args.ckpt else 0
    for i, real in enumerate(loader, start):
        real = real.to("cuda", non_blocking=True)
        with torch.no_grad():
            fake = g(torch.randn(len(real), 128, device="cuda"))
        d_loss = nn.functional.softplus(d(fake)).mean() + nn.functional.softplus(-d(real)).mean()
        d_optim.zero_grad()
        d_loss.backward()
        d_optim.step()
        print(i)
