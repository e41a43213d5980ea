# Freezing the weight of a linear layer leaves its bias, which records the graph all the same.
import torch
from torch import nn


def project(loader):
    layer = nn.Linear(300, 400)
    layer.weight.requires_grad = False
    kept = []
    for x in loader:
        kept.append(layer(x).mean(1).data)  #! MEM201 warning
    return torch.cat(kept).numpy()
