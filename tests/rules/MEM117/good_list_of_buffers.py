# Empty buffers for a kernel: nothing of this call is kept in them.

import torch


class Deform(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, kernel):
        ctx.save_for_backward(x, weight)
        ctx.buffers = [x.new_empty(0), x.new_empty(0)]
        return kernel(x, weight, *ctx.buffers)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad * weight, grad * x, None
