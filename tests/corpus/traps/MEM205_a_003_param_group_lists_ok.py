import re
import torch
from torch import nn


def param_groups(model: nn.Module, lr: float, decay: float):
    decay_params, no_decay, head = [], [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if name.startswith("head"):
            head.append(param)
        elif param.ndim <= 1 or re.search(r"(bias|norm)", name):
            no_decay.append(param)
        else:
            decay_params.append(param)
    return [{"params": decay_params, "weight_decay": decay}, {"params": no_decay, "weight_decay": 0.0},
            {"params": head, "lr": lr * 10}]


def train(model, loader, epochs=10, lr=1e-4):
    opt = torch.optim.AdamW(param_groups(model, lr, 0.05), lr=lr)
    for _ in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
