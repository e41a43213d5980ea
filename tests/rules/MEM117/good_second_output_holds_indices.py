# an output whose gradient backward never reads: whole numbers have no grad_fn that could refer to it

from torch.autograd import Function

from kernels import permute, unpermute


class Permute(Function):
    @staticmethod
    def forward(ctx, x, indices, k):
        out, rows = permute(x, indices, k)
        ctx.rows = rows
        ctx.k = k
        return out, rows

    @staticmethod
    def backward(ctx, grad, *_):
        return unpermute(grad, ctx.rows, ctx.k), None, None
