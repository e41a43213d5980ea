"""Nested tensors of the jagged layout under simulation: torch computes them on their values and offsets.

Their ragged size is a number of its own for each tensor of offsets. Source: `get_tensor_symint` in
torch/nested/_internal/nested_tensor.py of torch 2.13, which looks it up in a registry and asks fakes for one
of the shape environment of their mode. Here there is none, as all sizes are real: fakes have an entry, too.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate import private
from memlint.runtime.simulate.patches import attention
from memlint.runtime.simulate.private import FakeTensor
from memlint.runtime.simulate.questions import QUESTIONS

_FIRST = 1 << 40
"""Beyond the numbers that torch itself gives to offsets."""


_AS_JAGGED = "nested tensors of the strided layout: simulated as of the jagged one, alike in memory"


def install(note: Callable[[str], None], stop: Callable[[str], None]) -> None:
    """Let nested tensors on the simulated GPU be made, computed with, and moved."""
    registry, numbers = private.ragged_sizes(), itertools.count(_FIRST)
    if registry is None:
        return

    def kept(offsets: Any) -> Any:
        return registry.get(offsets)

    def keep(offsets: Any, size: Any) -> None:
        if size is not None:
            registry[offsets] = size

    def size_of(offsets: Any, *, coeff: Any = 1) -> Any:
        found = registry.get(offsets)
        if found is None:
            found = registry[offsets] = private.ragged_size(next(numbers))
        return found * coeff

    tensor: Any = torch.Tensor
    fake: Any = FakeTensor
    tensor.nested_int_memo = fake.nested_int_memo = property(kept, keep)
    fake.get_nested_int = size_of
    private.replace_ragged_attention(_takes_flash, _takes_efficient)
    strided = _Strided(note, stop)
    for name in ("nested_tensor", "as_nested_tensor"):
        setattr(torch.nested, name, strided.made_jagged(getattr(torch.nested, name)))
    private.replace_ragged_calls(strided.watched)


class _Strided:
    """Makes nested tensors of the strided layout, whose sizes nobody can see, of the jagged one.

    That has a place for those of whose parts only the first size differs. What it has not, ends the report.
    """

    def __init__(self, note: Callable[[str], None], stop: Callable[[str], None]) -> None:
        self._note = note
        self._stop = stop
        self._any = False

    def made_jagged(self, make: Callable[..., Any]) -> Callable[..., Any]:
        """The same for a function that makes them of a list."""

        @functools.wraps(make)
        def made(tensors: Any, *rest: Any, **named: Any) -> Any:
            given = tensors if isinstance(tensors, (list, tuple)) else ()
            rows = [getattr(each, "shape", ()) for each in given]
            alike = bool(rows) and all(rows) and len({row[1:] for row in rows}) == 1
            if alike and named.get("layout") in (None, torch.strided) and len(rest) < 3:
                self._any = True
                self._note(_AS_JAGGED)
                named["layout"] = torch.jagged
            return make(tensors, *rest, **named)

        return made

    def watched(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Torch's functions for them: what the jagged layout lacks is no mistake of the script."""

        def called(*args: Any, **kwargs: Any) -> Any:
            try:
                return real(*args, **kwargs)
            except torch.cuda.OutOfMemoryError:
                raise
            except (RuntimeError, ValueError) as error:
                if self._any:
                    said = str(error).partition("\n")[0]
                    self._stop(f"nested tensors of the strided layout cannot be simulated here: {said}")
                raise

        return called


def _takes_flash(params: Any) -> bool:
    """Whether flash attention takes these tensors; torch itself looks at what is ragged."""
    tensors = params.query, params.key, params.value
    return torch.backends.cuda.flash_sdp_enabled() and attention.takes_flash(
        *tensors,
        params.attn_mask,
        params.dropout,
        params.is_causal,
        getattr(params, "enable_gqa", False),  # since torch 2.5
        torch.is_grad_enabled() and any(each.requires_grad for each in tensors),
        QUESTIONS,
    )


def _takes_efficient(params: Any) -> bool:
    """Whether memory-efficient attention takes these tensors; torch itself looks at what is ragged."""
    return torch.backends.cuda.mem_efficient_sdp_enabled() and attention.takes_efficient(
        params.query, params.key, params.value, params.attn_mask, QUESTIONS
    )
