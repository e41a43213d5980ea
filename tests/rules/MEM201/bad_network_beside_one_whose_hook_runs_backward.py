# the backward() of a hook is that of the network it belongs to

import torch
from torch import nn
from torchvision import models


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1000, 10)

    def forward(self, x):
        return self.line(x)


def push(module, inputs, output):
    output.pow(2).sum().backward(retain_graph=True)


def probe(images):
    net = models.resnet18(weights="DEFAULT").cuda().eval()
    net.layer4.register_forward_hook(push)
    return net(images).detach()


def evaluate(loader):
    head = Head().cuda().eval()
    rows = []
    for features, _ in loader:
        rows.append(head(features.cuda()))  #! MEM201 error
    return torch.cat(rows)
