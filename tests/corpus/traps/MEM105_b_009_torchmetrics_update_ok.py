import torch
import torchmetrics
from torch import nn


def fit(model, train_loader, val_loader, device):
    acc = torchmetrics.Accuracy(task="multiclass", num_classes=10).to(device)
    mean_loss = torchmetrics.MeanMetric().to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            out = model(x)
            loss = nn.functional.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc.update(out, y)
            mean_loss.update(loss)
        print(epoch, acc.compute(), mean_loss.compute())
        acc.reset()
        mean_loss.reset()
