import torch
from torch import no_grad, inference_mode as infer

ng = torch.no_grad


@no_grad()
def a(model, val_loader):
    model.eval()
    return torch.cat([model(x) for x, _ in val_loader])


@infer()
def b(model, val_loader):
    s = 0
    for x, y in val_loader:
        s += (model(x) - y).abs().sum()
    return s


def c(model, test_loader):
    outs = []
    with ng(), torch.autocast("cuda"):
        for x, _ in test_loader:
            outs.append(model(x))
    return outs
