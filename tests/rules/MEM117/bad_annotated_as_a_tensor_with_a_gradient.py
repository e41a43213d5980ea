# The annotation says that it is a tensor, and backward returns its gradient.
import torch


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, offset: torch.Tensor = None, dt: float = 0.001):
        ctx.offset = offset  #! MEM117
        ctx.dt = dt
        return (x + offset) * dt

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.dt, grad * ctx.dt + 0 * ctx.offset, None
