# no environment: what other rules look at

import torch


def train(model, loader, opt):
    memory = []
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.append((x, y))
    return memory
