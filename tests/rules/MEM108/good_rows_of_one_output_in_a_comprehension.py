# each turn of the comprehension goes through the same graph

import torch


def jacobian(model, x, params):
    out = model(x)
    rows = [
        torch.autograd.grad(outputs=out[i], inputs=params, retain_graph=True) for i in range(out.shape[0])
    ]
    return tuple(torch.stack(row) for row in zip(*rows))
