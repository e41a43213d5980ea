# an explicit False, and a flag that the caller sets

import torch

model = torch.nn.Linear(2, 1)


def backward(loss, second_order):
    loss.backward(create_graph=second_order)


for x in torch.randn(8, 3, 2):
    model.zero_grad()
    model(x).pow(2).mean().backward(create_graph=False)
    model.zero_grad()
    backward(model(x).abs().mean(), bool(x.sum() > 0))
