import torch
from torch import nn


def enable_dropout(model):
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.train()


def uncertainty(model, loader, n=30):
    model.eval()
    enable_dropout(model)
    means, stds = [], []
    with torch.no_grad():
        for x, _ in loader:
            runs = []
            for _ in range(n):
                runs.append(torch.softmax(model(x), 1))
            p = torch.stack(runs)
            means.append(p.mean(0))
            stds.append(p.std(0))
    return torch.cat(means), torch.cat(stds)
