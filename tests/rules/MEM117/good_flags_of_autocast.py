# whether autocast is on, and in which type, is no tensor

import torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.enabled = torch.is_autocast_enabled()
        ctx.dtype = torch.get_autocast_gpu_dtype()
        ctx.same = torch.equal(x, x.detach())
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad(), torch.autocast("cuda", enabled=ctx.enabled, dtype=ctx.dtype):
            x = x.detach().requires_grad_()
            torch.autograd.backward(ctx.run(x), grad)
        return None, x.grad
