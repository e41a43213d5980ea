# a flag of an own class

import torch


class Variable:
    def __init__(self, data, require_grad=True):
        self.data = data
        self.require_grad = require_grad


v = Variable(torch.ones(2))
