# method of a class, one attribute deep in the model

from torch import nn


class Wrapper(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.scale = nn.Parameter(nn.init.ones_(nn.Linear(1, 1).weight.data))

    def freeze(self):
        self.base.weight.requires_grad = False
        self.scale.requires_grad_(False)


Wrapper(nn.Linear(2, 2)).freeze()
