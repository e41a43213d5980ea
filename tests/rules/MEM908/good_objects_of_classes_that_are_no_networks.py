# objects of classes that are no networks, by what makes them and by annotations

import torch


class Spec:
    def __init__(self, name):
        self.name = name


class Named(Spec):
    pass


def make(name):
    return Named(name)


def settle(spec: Spec):
    spec.require_grad = False


class Holder:
    def __init__(self):
        self.spec = Spec("weights")

    def prepare(self):
        self.spec.require_grad = True


bias = make("bias")
bias.require_grad = True
print(torch.ones(2))
