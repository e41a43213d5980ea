# The tables of angles are the model's, and there is one length for each sequence.

import torch


class Turn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.cos, ctx.sin = cos, sin
        ctx.step = cos.stride(0)
        return x * cos + x.flip(-1) * sin

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.cos - grad.flip(-1) * ctx.sin, None, None


class Pack(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, cu_seqlens: torch.Tensor, offsets: torch.Tensor):
        ctx.cu_seqlens = cu_seqlens
        ctx.offsets = offsets
        return pack(x, cu_seqlens, offsets)

    @staticmethod
    def backward(ctx, grad):
        return unpack(grad, ctx.cu_seqlens, ctx.offsets), *[None] * 2
