# two inputs, and a base class of the file

import torch


class Base(torch.autograd.Function):
    pass


class Product(Base):
    @staticmethod
    def forward(context, a, b):
        context.a = a  #! MEM117 warning
        context.b = b
        return a * b

    @staticmethod
    def backward(context, grad):
        """Gradients of both."""
        return grad * context.b, grad * context.a
