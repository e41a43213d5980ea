# decorators of a custom function, with and without arguments

import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class Square(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)  #! MEM903
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @custom_bwd  #! MEM903
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad
