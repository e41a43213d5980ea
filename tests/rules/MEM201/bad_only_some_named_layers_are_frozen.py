# the condition chooses among layers that were there before: the others still learn

import torch
from torch import nn


def embed(loader, names, frozen):
    layers = {name: nn.Embedding(1000, 300) for name in names}
    for name in names:
        layer = layers[name]
        if name in frozen:
            layer.weight.requires_grad = False
    found = []
    for batch in loader:
        for name in names:
            found.append(layers[name](batch[name]).data)  #! MEM201 warning
    return torch.cat(found).numpy()
