import torch
from torch import nn, optim
from torchvision import models


def build(classes, finetune):
    net = models.densenet121(weights="DEFAULT")
    if not finetune:
        for param in net.features.parameters():
            param.require_grad = False  #! MEM908
    net.classifier = nn.Linear(net.classifier.in_features, classes)
    return net


def main():
    net = build(4, finetune=False)
    optimizer = optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-3)
    for x, y in [(torch.randn(2, 3, 64, 64), torch.tensor([0, 1]))] * 3:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
