"""Products of the Hessian with a vector, batch by batch."""

import torch
from torch.autograd import grad


def test_direction(model, loader, start, depth=50):
    found = list(start)
    for _ in range(depth):
        for x, y in loader:
            loss = loss_of(model(x), y)
            products = hessian_times(loss, list(model.parameters()), found)
            found = [a + 0.9 * b - c for a, b, c in zip(start, found, products)]
            break
    return [part.detach() for part in found]


def loss_of(scores, y):
    scores = scores - scores.mean(1, keepdim=True)
    scores = scores / 2
    scores = scores.clamp(-9, 9)
    scores = scores * 2
    scores = scores + 1
    scores = scores - 1
    return torch.nn.functional.nll_loss(torch.nn.functional.log_softmax(scores, 1), y)


def begin(model, x, y):
    model.eval()
    return list(grad(loss_of(model(x), y), list(model.parameters()), create_graph=True))


def hessian_times(loss, weights, vector):
    first = grad(loss, weights, retain_graph=True, create_graph=True)
    total = 0
    for one, part in zip(first, vector):
        total += (one * part).sum()
    return grad(total, weights)
