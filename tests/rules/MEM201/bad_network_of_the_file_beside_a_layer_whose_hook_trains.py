# a network that the file builds is evaluated; the layer whose hook trains is a part of another

import torch
from torch import nn


def probe(layer, width, loader):
    head = nn.Linear(width, 10)
    optimizer = torch.optim.Adam(head.parameters())
    layer.eval()

    def hook(_module, _input, output):
        optimizer.zero_grad()
        head(output).square().mean().backward()
        optimizer.step()

    layer.register_forward_hook(hook)
    net = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))
    net.eval()
    right = 0
    for x, y in loader:
        right += (net(x).argmax(1) == y).sum().item()  #! MEM201 error
    return right
