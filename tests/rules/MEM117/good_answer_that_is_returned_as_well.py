# What is returned beside the outputs, and left on the context, is a bool.

import torch


class Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        alone = False
        output = solve(*inputs)
        if isinstance(output, torch.Tensor):
            alone = True
            output = (output,)
        ctx.save_for_backward(*output, *inputs)
        ctx.alone = alone
        return (*output, alone)

    @staticmethod
    def backward(ctx, *gradients):
        found = ctx.saved_tensors
        return found[0] if ctx.alone else found
