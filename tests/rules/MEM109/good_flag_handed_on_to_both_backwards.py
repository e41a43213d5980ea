# whether a graph of the gradients is made is up to a setting, and a second derivative is taken by autograd.grad

import torch


def curvature(net, x, y, direction, settings):
    loss = torch.nn.functional.mse_loss(net(x), y)
    if settings.first_order:
        loss.backward(create_graph=settings.second_order)
    weights = list(net.parameters())
    first = torch.autograd.grad(loss, weights, create_graph=True)
    return torch.autograd.grad(first, weights, grad_outputs=direction)
