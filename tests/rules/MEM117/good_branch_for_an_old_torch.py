# what an old release needs stands in a branch of its own, the other one saves as it should

import torch
from packaging.version import Version
from torch.autograd import Function

old_torch = Version(torch.__version__) < Version("0.4.0")


class Project(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.sigmoid(x)
        if old_torch:
            ctx.save_for_backward(x)
            ctx.y = y
        else:
            ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        y = ctx.y if old_torch else ctx.saved_tensors[1]
        return grad * y * (1 - y)
