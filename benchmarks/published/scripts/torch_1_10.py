"""What torch up to 1.10 kept and today's does not: softmax held its input for backward, beside its result."""

from typing import Any

import torch


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, dim: int) -> torch.Tensor:
        result = torch.softmax(scores, dim)
        ctx.dim = dim
        ctx.save_for_backward(scores, result)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        _, result = ctx.saved_tensors
        return torch._softmax_backward_data(gradient, result, ctx.dim, result.dtype), None


def softmax(scores: torch.Tensor, dim: int = -1, _stacklevel: int = 3, dtype: Any = None) -> torch.Tensor:
    """torch.nn.functional.softmax of that time; autocast computes it in single precision."""
    if torch.is_autocast_enabled("cuda"):
        dtype = torch.float32
    return _Softmax.apply(scores if dtype is None else scores.to(dtype), dim)


torch.nn.functional.softmax = softmax
