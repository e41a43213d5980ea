# what is added without the flag has no graph, and neither has a loss that nothing differentiates

import torch
from torch import nn


def run(model, loader, optimizer, training):
    total, seen = 0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            else:
                total += loss
            seen += loss.detach()
    return total / len(loader), seen


def measure(model, loader, graphs):
    total = 0
    with torch.set_grad_enabled(graphs):
        for x, y in loader:
            total += nn.functional.mse_loss(model(x.cuda()), y.cuda())
    return total
