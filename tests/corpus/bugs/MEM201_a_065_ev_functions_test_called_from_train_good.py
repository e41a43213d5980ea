import torch
import torch.nn.functional as F


def run_epoch(model, loader, optimizer=None, device="cuda"):
    """One pass; trains when an optimizer is given."""
    model.train(optimizer is not None)
    tot, hit, n = 0.0, 0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        with torch.set_grad_enabled(optimizer is not None):
            out = model(x)
            loss = F.cross_entropy(out, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        tot += loss.item() * len(x)
        hit += (out.argmax(1) == y).sum().item()
        n += len(x)
    return tot / n, hit / n


def fit(model, train_loader, test_loader, epochs):
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    for e in range(epochs):
        tr = run_epoch(model, train_loader, opt)
        te = run_epoch(model, test_loader)
        print(e, tr, te)
