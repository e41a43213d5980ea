# `torch` is the module, though the name is bound to None where it is not installed

try:
    import torch
except ImportError:
    torch = None


def validate(model, loader, device):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += model.loss(x.to(device), y.to(device)).item()
    return total / len(loader)
