import numpy as np
import torch
from torch import nn


def evaluate(model, loader, criterion):
    model.eval()
    total, correct, n = 0., 0, 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        with torch.no_grad():
            logits = model(x)
            loss = criterion(logits, y)
            total += loss.item() * x.size(0)
            correct += (logits.argmax(dim=1) == y).sum().item()
            n += x.size(0)
    return total / n, correct / n


def main(model, train_loader, val_loader, epochs=20):
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            crit(model(x.cuda()), y.cuda()).backward()
            opt.step()
        print(epoch, evaluate(model, val_loader, crit))
