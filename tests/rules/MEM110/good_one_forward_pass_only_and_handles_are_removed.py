# one forward pass only, and the handles are removed

import torch


def describe(model, example):
    outputs = []
    handles = [m.register_forward_hook(lambda m, i, o: outputs.append(o)) for m in model.children()]
    model(example)
    for handle in handles:
        handle.remove()
    return [tuple(o.shape) for o in outputs]


print(describe(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU()), torch.randn(1, 2)))
