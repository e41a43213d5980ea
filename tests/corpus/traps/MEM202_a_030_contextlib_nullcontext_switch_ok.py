import contextlib
import torch
import torch.nn.functional as F


def run_epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train(training)
    ctx = contextlib.nullcontext() if training else torch.no_grad()
    total = 0.0
    with ctx:
        for x, y in loader:
            out = model(x)
            loss = F.cross_entropy(out, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(x)
    return total / len(loader.dataset)


def main(model, train_loader, val_loader, epochs):
    opt = torch.optim.Adam(model.parameters())
    for e in range(epochs):
        tr = run_epoch(model, train_loader, opt)
        va = run_epoch(model, val_loader)
        print(e, tr, va)
