# decorators of the file that measure the time, or log, leave the grad mode as it is

import functools
import time

import torch


def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        begin = time.time()
        result = function(*args, **kwargs)
        print(time.time() - begin)
        return result

    return inner


def logged(text):
    def decorate(function):
        def wrapper(*args, **kwargs):
            print(text)
            return function(*args, **kwargs)

        return wrapper

    return decorate


@timed
def evaluate(model, val_loader):
    model.eval()
    right = 0
    for x, y in val_loader:
        right += (model(x.cuda()).argmax(1).cpu() == y).sum().item()  #! MEM201
    return right


@logged("features")
def features(model, test_loader):
    model.eval()
    rows = []
    for x in test_loader:
        rows += model(x.cuda()).detach().cpu().tolist()  #! MEM201
    return torch.tensor(rows)
