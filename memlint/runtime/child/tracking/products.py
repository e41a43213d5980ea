"""Products in backward: their formulas take another way, with more memory, where a dispatch mode is active.

See prod_backward and cumprod_backward in torch/csrc/autograd/FunctionsManual.cpp: without a mode they divide
where no factor is zero, and with one they multiply the other factors of each. So the tracker steps aside
while such a node runs, and adds what the formula needs.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import torch

from memlint.runtime.child.private import PUSHES_MODES
from memlint.runtime.child.torch_names import find

_LOOKS = 4
"""Operations after which a product without a node has none."""

_NODES = ("ProdBackward0", "ProdBackward1", "CumprodBackward0")


class Watched(Protocol):
    """What a tracker does for products."""

    def step_aside(self) -> bool:
        """Let what follows run unseen, as without a mode; False where that cannot be."""

    def step_back(self, made: Any, passing: int) -> None:
        """Go on, with the gradients that were made meanwhile and the bytes that were needed beside them."""

    def has_value(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor has numbers to look at."""


def _of_all(source: torch.Tensor, out: torch.Tensor, zeros: int) -> int:
    if zeros > 1:  # every gradient is zero: only where the factors are that is looked for
        return zeros * source.dim() * _INDEX
    at_zeros = zeros * (source.dim() * _INDEX + _without_division(source, out))
    return _converted(source, out) + (at_zeros or _size(source, out))


def _of_dim(source: torch.Tensor, out: torch.Tensor, zeros: int) -> int:
    # Where zeros are, and how many there are of them in each product.
    found = source.numel() + out.numel() * _INDEX
    rest = _without_division(source, out) if zeros else _size(source, out)
    return _converted(source, out) + found + rest


def _cumulative(source: torch.Tensor, out: torch.Tensor, zeros: int) -> int:
    # Where zeros are, the weighted gradient, and its sums from behind: turned round, added up, turned back.
    known = source.numel() + 3 * _size(source, source)
    # Up to the first zero: how many there are before, two masks of that, and the gradient behind one.
    behind = 2 * _size(source, source) + source.numel() * (_INDEX + 2)
    return known + behind * (zeros > 0)


def _without_division(source: torch.Tensor, out: torch.Tensor) -> int:
    """Of each factor the products of those before and behind it, which begin with ones, and their product."""
    return 5 * _size(source, out) + out.numel() * out.element_size()


def _converted(source: torch.Tensor, out: torch.Tensor) -> int:
    return _size(source, out) if source.dtype != out.dtype else 0


def _size(source: torch.Tensor, out: torch.Tensor) -> int:
    """As many numbers as there are factors, in the type of the product."""
    return source.numel() * out.element_size()


_INDEX = torch.int64.itemsize

NEEDS: dict[int, Callable[[torch.Tensor, torch.Tensor, int], int]] = {
    id(found): needs
    for name, needs in (
        ("prod.default", _of_all),
        ("prod.dim_int", _of_dim),
        ("cumprod.default", _cumulative),
    )
    if PUSHES_MODES and (found := find(f"torch.ops.aten.{name}")) is not None
}
"""By id of an operator: the bytes that its backward needs beside the gradient, by the zeros among factors."""


class Products:
    """Finds the nodes of products: the one of the last operation is there when the next one begins."""

    def __init__(self, tracker: Watched) -> None:
        self._tracker = tracker
        self._aside = False
        self.newest: tuple[weakref.ref[torch.Tensor], int, int] | None = None

    def made(self, func: Any, source: torch.Tensor, out: torch.Tensor) -> None:
        """A product was computed, and autograd may now make a node for it."""
        if not torch.is_grad_enabled() or out.is_complex():
            return
        # On a GPU, looking at the factors would take memory and time: no zeros are the rule.
        looks = source.device.type == "cpu" and self._tracker.has_value(source)
        zeros = source.numel() - int(torch.count_nonzero(source)) if looks else 0
        self.newest = weakref.ref(out), NEEDS[id(func)](source, out, zeros), _LOOKS

    def watch(self) -> None:
        """Be told when the node of the last product runs, if it has got one."""
        if self.newest is None:
            return
        made, needs, looks = self.newest
        out = made()
        node = out.grad_fn if out is not None else None
        # For fake tensors, what autograd asks before it makes the node are operations too.
        self.newest = (made, needs, looks - 1) if out is not None and node is None and looks else None
        if node is not None and node.name() in _NODES:
            # Neither of them may refer to the node, which would keep its graph alive.
            node.register_prehook(self._begin)
            node.register_hook(partial(self._end, needs))

    def _begin(self, gradients: Any) -> None:
        # What is recorded for a second backward is kept, and not counted by a formula.
        self._aside = not torch.is_grad_enabled() and self._tracker.step_aside()

    def _end(self, needs: int, made: Any, gradients: Any) -> None:
        if self._aside:
            self._aside = False
            self._tracker.step_back(made, needs)
