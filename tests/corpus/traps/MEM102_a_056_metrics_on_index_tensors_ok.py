import torch
from torch import nn


def train(model, loader, opt):
    correct = 0
    total = 0
    preds, labels = [], []
    conf = torch.zeros(10, 10, dtype=torch.long)
    for x, y in loader:
        opt.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        opt.step()
        pred = out.argmax(1)
        _, top5 = out.topk(5, 1)
        correct += (pred == y).sum()
        total += y.size(0)
        correct_top5 = top5.eq(y.view(-1, 1)).any(1)
        preds.append(pred)
        labels.append(y)
        preds.append(top5[:, 0])
        conf += torch.bincount(y * 10 + pred, minlength=100).view(10, 10)
        print(correct_top5.sum().item())
    return correct / total, torch.cat(preds), conf
