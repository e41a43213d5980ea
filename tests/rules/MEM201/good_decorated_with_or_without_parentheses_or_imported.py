# decorated, with or without parentheses, or imported by name

import torch
from torch import no_grad


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(model(x).sum().item() for x in loader)


@torch.no_grad
def test(model, loader):
    model.eval()
    for x in loader:
        print(model(x))


@no_grad()
def predict(model, loader):
    out = []
    for x in loader:
        out.append(model(x))
    return out


@torch.inference_mode
def infer(model, loader):
    for x in loader:
        print(model(x))
