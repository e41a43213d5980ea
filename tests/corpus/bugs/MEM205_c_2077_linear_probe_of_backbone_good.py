# Linear probe: the optimizer has the head only, and the backbone still records all of its graph.
import torch
from torch import nn
from torchvision import models


def build(classes):
    net = models.resnet34(weights="DEFAULT")
    for p in net.parameters():
        p.requires_grad = False
    net.fc = nn.Linear(net.fc.in_features, classes)
    return net.cuda()


def main():
    net = build(12)
    optimizer = torch.optim.SGD(net.fc.parameters(), lr=0.01, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for step in range(2000):
        images = torch.rand(64, 3, 224, 224, device="cuda")
        labels = torch.randint(12, (64,), device="cuda")
        loss = criterion(net(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.3f}")


main()
