# an own decorator runs the function under no_grad

import functools

import torch


def evaluation(function):
    @functools.wraps(function)
    def wrapper(model, *args):
        model.eval()
        with torch.no_grad():
            return function(model, *args)

    return wrapper


@evaluation
def accuracy(model, loader):
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
    return hits


print(accuracy(torch.nn.Linear(2, 2), [(torch.randn(3, 2), torch.zeros(3))]))
