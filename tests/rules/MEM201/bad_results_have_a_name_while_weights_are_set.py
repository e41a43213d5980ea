# Nothing reads the result, but its name keeps the graph until the next pass has made another.

import torch

from networks import build


def scale_layers(layers, batch):
    model = build(layers).cuda()
    model.eval()
    seen = {}
    for number in range(layers):
        hook = model[number].register_forward_hook(lambda m, i, o: seen.update(std=o.std().item()))
        out = model(batch)  #! MEM201 error
        model[number].weight.data /= seen["std"]
        hook.remove()
    return model
