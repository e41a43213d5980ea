"""`flex_attention` under simulation: the fused kernel where a script compiles anything, else plain products.

Sizes follow `flex_attention_fake_impl` in torch/_higher_order_ops/flex_attention.py of torch 2.13 and the
buffers of torch/_inductor/kernel/flex/flex_attention.py: the result, and a number in float32 for each row,
which is made once more in backward.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate import private
from memlint.runtime.simulate.private import FakeTensor

_MODULE = "torch.nn.attention.flex_attention"

_FUSED = "flex_attention: simulated as the fused kernel, in otherwise eager code"


class _Compiling:
    """Whether the script has had anything compiled that may hold the attention."""

    seen = False


def install(note: Callable[[str], None]) -> None:
    """Replace what the attention computes by what its kernel makes, where that is compiled."""

    def attention(query: Any, key: Any, value: Any, score: Any, mask: Any, *rest: Any, **named: Any) -> Any:
        if not _Compiling.seen or not isinstance(query, FakeTensor):
            return real(query, key, value, score, mask, *rest, **named)
        note(_FUSED)
        if torch.is_autocast_enabled("cuda"):
            dtype = torch.get_autocast_dtype("cuda")
            query, key, value = (each.to(dtype) for each in (query, key, value))
        return _Kernel.apply(query, key, value, *_captured(score))

    real = private.replace_flex_attention(attention)


def note_compiled(model: Any) -> None:
    """`torch.compile` was called with this function or module; None: as a decorator.

    What flex_attention itself compiles, with a backend that computes eagerly, does not count.
    """
    own = getattr(model, "__module__", "") == _MODULE
    if not own or getattr(model, "__name__", "") == "flex_attention":
        _Compiling.seen = True


def _captured(score: Any) -> tuple[Any, ...]:
    """The tensors that a function of scores uses beside its arguments: backward makes their gradients."""
    try:
        found = inspect.getclosurevars(score)
    except TypeError:
        return ()
    used = (*found.nonlocals.values(), *found.globals.values())
    return tuple(value for value in used if isinstance(value, torch.Tensor))


class _Kernel(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Any, key: Any, value: Any, *captured: Any) -> Any:
        narrow = value.size(-1) != query.size(-1)
        out = query.new_empty(*query.shape[:-1], value.size(-1)) if narrow else torch.empty_like(query)
        sums, largest = (query.new_empty(query.shape[:-1], dtype=torch.float32) for _ in range(2))
        ctx.save_for_backward(query, key, value, out, sums, *captured)
        ctx.mark_non_differentiable(largest)
        ctx.set_materialize_grads(False)
        return out, sums, largest

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        query, key, value, _, sums, *captured = ctx.saved_tensors
        rows = torch.empty_like(sums)  # of the result times its gradient
        grads = [torch.empty_like(query)]
        for shared in (key, value):
            whole = shared.new_empty(query.size(0), *shared.shape[1:])
            grads.append(whole if shared.size(0) == query.size(0) else whole.sum(0, keepdim=True))
        del rows
        return *grads, *(torch.zeros_like(each) for each in captured)
