import torch
from torch import nn


def build(model):
    opts = {p: torch.optim.Adam([p], foreach=False) for p in model.parameters()}

    def hook(param):
        opts[param].step()
        opts[param].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return opts


def train(model, loader):
    build(model)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        print(loss.item())
