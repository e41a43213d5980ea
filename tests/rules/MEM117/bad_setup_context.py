# forward without a context: setup_context gets inputs and output

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(x, factor):
        return torch.exp(x * factor)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, factor = inputs
        ctx.factor = factor
        ctx.x = x  #! MEM117 warning
        ctx.result = output  #! MEM117 error

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.result * ctx.factor, None
