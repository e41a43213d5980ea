import torch
import torchmetrics
from torch import nn


def train(model, loader, val_loader, device, epochs):
    acc = torchmetrics.Accuracy(task="multiclass", num_classes=10).to(device)
    mean_loss = torchmetrics.MeanMetric().to(device)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for x, y in loader:
            out = model(x.to(device))
            loss = nn.functional.cross_entropy(out, y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()
            mean_loss.update(loss.detach())
            acc(out.softmax(-1).detach(), y.to(device))
        print(epoch, mean_loss.compute(), acc.compute())
        mean_loss.reset()
        acc.reset()
