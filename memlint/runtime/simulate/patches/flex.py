"""`flex_attention` under simulation: the fused kernel where a script compiles anything, else plain products.

Sizes follow torch/_higher_order_ops/flex_attention.py of torch 2.13: those of the kernel
`flex_attention_fake_impl`, those of backward through plain products `sdpa_dense_backward`. The
kernel makes (torch/_inductor/kernel/flex/flex_attention.py) the result, and a number in float32
for each row, which is made once more in backward.
"""

from __future__ import annotations

import inspect
import math
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
        if not isinstance(query, FakeTensor):
            return real(query, key, value, score, mask, *rest, **named)
        if torch.is_autocast_enabled("cuda"):
            dtype = torch.get_autocast_dtype("cuda")
            query, key, value = (each.to(dtype) for each in (query, key, value))
        if _Compiling.seen:
            note(_FUSED)
            return _Kernel.apply(query, key, value, *_captured(score))

        def products(*inputs: Any) -> Any:
            return real(*inputs, score, mask, *rest, **named)

        return _Products.apply(products, score, mask[-1], rest[0], query, key, value, *_captured(score))

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


class _Products(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, products: Any, score: Any, mask: Any, scale: float, *inputs: Any) -> Any:
        out, sums, largest = products(*inputs[:3])
        ctx.save_for_backward(out, sums, *inputs)
        ctx.given = score, mask, scale
        ctx.mark_non_differentiable(largest)
        ctx.set_materialize_grads(False)
        return out, sums, largest

    @staticmethod
    def backward(ctx: Any, grad: Any, grad_sums: Any, _: Any) -> Any:
        out, sums, query, key, value, *captured = ctx.saved_tensors
        score, mask, scale = ctx.given
        grads = [torch.empty_like(each) for each in (query, key, value)]
        times = query.size(1) // key.size(1)
        keys, values = (_for_all(each, query.size(0), times) for each in (key, value))
        grad = torch.zeros_like(out) if grad is None else grad
        sums = sums * math.log(2)
        grad_sums = torch.zeros_like(sums) if grad_sums is None else grad_sums / math.log(2)
        scores = (query.to(sums.dtype) @ keys.to(sums.dtype).transpose(-2, -1)) * scale
        places = [torch.arange(0, size, device=scores.device) for size in scores.shape]
        with private.indexing_by_tensors():
            chosen = _over_all(score, (0,))(scores, *places)
        chosen = torch.where(_shown(mask, places), chosen, scores.new_full((), -torch.inf))
        weights = torch.exp(chosen - sums.unsqueeze(-1))
        weights = torch.where((sums == -torch.inf).unsqueeze(-1), 0, weights)
        of_values = weights.to(query.dtype).transpose(-2, -1) @ grad
        of_weights = grad.to(weights.dtype) @ values.to(weights.dtype).transpose(-2, -1)
        rows = torch.sum(out.to(weights.dtype) * grad.to(weights.dtype), -1, keepdim=True)
        of_changed = weights * (of_weights - rows + grad_sums.unsqueeze(-1))
        with torch.enable_grad(), private.indexing_by_tensors():
            leaf = scores.detach().requires_grad_()
            changed = _over_all(score, (0,))(leaf, *places)
        wanted = [leaf, *(each for each in captured if each.requires_grad)]
        of_scores, *found = torch.autograd.grad(changed, wanted, of_changed, allow_unused=True)
        del changed
        of_scores = (of_scores * scale).to(query.dtype)
        of_scores = torch.where(_shown(mask, places), of_scores, 0)
        of_keys = of_scores.transpose(-2, -1) @ query
        grads[0].copy_(of_scores @ keys)
        for own, whole in zip(grads[1:], (of_keys, of_values), strict=True):
            whole = whole.unflatten(1, (-1, times)).sum(2)
            own.copy_(whole if own.size(0) == whole.size(0) else whole.sum(0, keepdim=True))
        others = iter(found)
        return (None,) * 4 + (*grads, *(next(others) if each.requires_grad else None for each in captured))


def _for_all(shared: Any, batch: int, times: int) -> Any:
    """Keys or values for each item and each head of the query."""
    return torch.repeat_interleave(shared.expand((batch, *shared.shape[1:])), times, dim=1)


def _shown(mask: Any, places: Any) -> Any:
    with private.indexing_by_tensors():
        return _over_all(mask, ())(*places)


def _over_all(function: Any, first: tuple[int, ...]) -> Any:
    """A function of a score and its place for all of them; that of a mask has no score."""
    for own in ((None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None)):
        function = torch.vmap(function, in_dims=first + own)
    return function
