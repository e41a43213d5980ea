# a flag that the file reads

import torch


def run(layers, x):
    layers[0].require_grad = False
    for layer in layers:
        with torch.set_grad_enabled(layer.require_grad):
            x = layer(x)
    return x


layers = [torch.nn.Linear(2, 2) for _ in range(3)]
for layer in layers:
    setattr(layer, "require" + "_grad", True)
run(layers, torch.ones(1, 2))
