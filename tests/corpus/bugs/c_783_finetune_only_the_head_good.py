import torch
import torchvision
from torch import nn


def build(classes):
    net = torchvision.models.efficientnet_b0(weights="IMAGENET1K_V1")
    net.classifier[1] = nn.Linear(1280, classes)
    return net


def main(loader, classes=37):
    net = build(classes).cuda()
    net.requires_grad_(False)
    net.classifier.requires_grad_(True)
    optimizer = torch.optim.Adam(net.classifier.parameters(), lr=1e-3)
    crit = nn.CrossEntropyLoss()
    for epoch in range(10):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = crit(net(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
