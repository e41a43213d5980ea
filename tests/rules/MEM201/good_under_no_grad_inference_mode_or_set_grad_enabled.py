# under no_grad, inference_mode, or set_grad_enabled(False)

import torch


def validate(model, loader):
    model.eval()
    n = 0
    with torch.no_grad():
        for x, y in loader:
            n += (model(x).argmax(1) == y).sum().item()
    with torch.inference_mode():
        for x, y in loader:
            n += (model(x).argmax(1) == y).sum().item()
    with torch.set_grad_enabled(False):
        for x, y in loader:
            n += (model(x).argmax(1) == y).sum().item()
    return n
