import torch


def hvp(loss, params, v):
    g = torch.autograd.grad(loss, params, create_graph=True)
    dot = sum((a * b).sum() for a, b in zip(g, v))
    return torch.autograd.grad(dot, params)


def lissa(model, loader, criterion, v, damp=0.01, scale=25.0, depth=500):
    params = [p for p in model.parameters() if p.requires_grad]
    h = list(v)
    model.eval()
    it = iter(loader)
    for t in range(depth):
        x, y = next(it)
        loss = criterion(model(x), y)
        hv = hvp(loss, params, h)
        h = [a + (1 - damp) * b - c / scale for a, b, c in zip(v, h, hv)]
        if t % 100 == 0:
            print(t, loss.item())
    return [a / scale for a in h]
