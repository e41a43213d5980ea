import torch
from torch import nn


def pass_epoch(model, loss_fn, loader, optimizer, metrics):
    loss, totals = 0, {}
    for i, (x, y) in enumerate(loader):
        y_pred = model(x)
        loss_batch = loss_fn(y_pred, y)
        loss_batch.backward()
        optimizer.step()
        optimizer.zero_grad()
        now = {}
        for name, fn in metrics.items():
            now[name] = fn(y_pred, y).detach().cpu()
            totals[name] = totals.get(name, 0) + now[name]
        loss_batch = loss_batch.detach().cpu()
        loss += loss_batch
    return loss / (i + 1), {k: v / (i + 1) for k, v in totals.items()}
