# what is shown of a batch is a forward pass, whatever the getter is called

import torch
from toolz import curry


@curry
def shown(model, x):
    return model(x).argmax().item()


def evaluate(model, loader, kinds):
    model.eval()
    for kind in kinds:
        model.set_names(kind)
    for x, y in loader:
        found = model(x)  #! MEM201 error
        print(found.argmax(), y)


def measure(model, loader):
    model.eval()
    for x in loader:
        print(shown(model, x))  #! MEM201 error
