# two inputs, and a base class of the file

import torch


class Base(torch.autograd.Function):
    pass


class Product(Base):
    @staticmethod
    def forward(context, a, b):
        context.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(context, grad):
        """Gradients of both."""
        a, b = context.saved_tensors
        return grad * b, grad * a
