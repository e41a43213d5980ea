import torch
import torch.nn.functional as F


def run_epoch(model, loader, opt=None):
    training = opt is not None
    model.train(training)
    tot, n = 0.0, 0
    for x, y in loader:
        out = model(x)
        loss = F.cross_entropy(out, y)
        if training:
            opt.zero_grad()
            loss.backward()
            opt.step()
        tot += loss.item() * len(x)
        n += len(x)
    return tot / n


def fit(model, train_dl, val_dl, epochs):
    opt = torch.optim.Adam(model.parameters())
    for e in range(epochs):
        tr = run_epoch(model, train_dl, opt)
        with torch.no_grad():
            va = run_epoch(model, val_dl)
        print(e, tr, va)
