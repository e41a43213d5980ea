# a decorator of the file around a method hands on what it is given

import functools

import torch


def traced(method):
    @functools.wraps(method)
    def inner(*args, **kwargs):
        print(method.__name__)
        return method(*args, **kwargs)

    return inner


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader

    @traced
    def train(self, optimizer):
        for x, y in self.loader:
            loss = torch.nn.functional.cross_entropy(self.model(x), y)
            loss.backward()  #! MEM121
            optimizer.step()
