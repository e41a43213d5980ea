# Two numbers in one assignment, and sizes in a tuple.

import torch


class Pool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, size):
        ctx.size, ctx.whole = size, x.shape
        ctx.rest = (size, x.dtype)
        return x.unfold(-1, size, size).mean(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad.repeat_interleave(ctx.size, -1).view(ctx.whole) / ctx.size, None
