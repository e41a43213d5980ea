import torch
from torch import nn


def train(model, loader, opt, names):
    running = {n: torch.zeros(()) for n in names}
    epoch_logs = []
    for x, ys in loader:
        outs = model(x)
        d = {n: nn.functional.mse_loss(outs[n], ys[n]) for n in names}
        loss = sum(d.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = {k: running[k] + v.detach() for k, v in d.items()}
        epoch_logs.append({k: v.item() for k, v in d.items()})
        logs = {k: v.detach() for k, v in d.items()}
        epoch_logs.append(logs)
    return running, epoch_logs
