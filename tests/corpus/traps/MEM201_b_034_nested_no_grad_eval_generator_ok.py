import torch


def batches(loader, device):
    for x, y in loader:
        yield x.to(device), y.to(device)


def predictions(model, loader, device):
    with torch.no_grad():
        for x, y in batches(loader, device):
            yield model(x), y


def evaluate(model, loader, device):
    model.eval()
    loss, n = 0.0, 0
    for out, y in predictions(model, loader, device):
        loss += torch.nn.functional.cross_entropy(out, y, reduction="sum")
        n += len(y)
    return loss / n
