# a network beside an own class, and a class whose base is out of view

from blocks import Block
from torch import nn


class Spec:
    pass


class Net(nn.Module):
    pass


class Wrapped(Block):
    pass


def settle(net: Net, spec: Spec):
    net.require_grad = False  #! MEM908 error
    spec.require_grad = False


wrapped = Wrapped()
wrapped.require_grad = False  #! MEM908 error
either = Spec() if wrapped.training else Net()
either.require_grad = True  #! MEM908 error
