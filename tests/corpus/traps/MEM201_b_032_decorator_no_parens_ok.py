import torch


@torch.no_grad
def validate(model, loader, crit):
    model.eval()
    total = 0
    for x, y in loader:
        total += crit(model(x), y)
    return total / len(loader)


@torch.inference_mode
def embed(model, loader):
    out = []
    for x in loader:
        out.append(model(x))
    return torch.cat(out)
