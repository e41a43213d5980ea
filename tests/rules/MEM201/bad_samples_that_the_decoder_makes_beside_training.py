# `decode` of a code is a forward pass: only what the whole network gave is decoded without one

import torch


def fit(vae, loader, optimizer):
    for x in loader:
        z = vae.encode(x)
        loss = (vae.decode(z) - x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        sample = vae.decode(torch.randn(64, 32))  #! MEM201 warning
        print(sample.mean().item())
