# a module and a function that backward runs again: their memory is not that of this call

import torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, module, x):
        ctx.run = run
        ctx.module = module
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(module, x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = ctx.run(ctx.module, x)
        return None, None, torch.autograd.grad(y, x, grad)[0]
