# an own context manager switches recording off

import contextlib

import torch


@contextlib.contextmanager
def evaluating(model):
    was = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(was)


net = torch.nn.Linear(4, 2)
with evaluating(net):
    for x in torch.randn(5, 3, 4):
        print(net(x).argmax(1))
