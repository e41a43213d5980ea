# the output has the context as its only name, beside an input that is annotated

import torch
from torch import Tensor, autograd


class Tanh(autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor, mask: torch.Tensor):
        ctx.y = torch.tanh(x)  #! MEM117 error
        ctx.mask = mask  #! MEM117 warning
        return ctx.y

    @staticmethod
    def backward(ctx, grad):
        return grad * (1 - ctx.y**2) * ctx.mask, None
