# a context of a server, and a Function of the file: neither is of autograd

import torch


class Function:
    pass


class Handler(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.view(-1)
        return torch.relu(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.x
