"""Whether a loss is a mean over the items of its batch: only then do the losses of parts add up to it.

Told from the graph of the loss, above what its reductions read. What is not recognised is not taken for one.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

import torch

from memlint.runtime.child.private import number_in, saved_in, saved_other, saved_reduction, shape_of

_NUMBERED = re.compile(r"Backward\d*$")

_SAME = frozenset(
    "Neg Rsub ToCopy View UnsafeView Reshape ReshapeAlias Clone Alias Squeeze Unsqueeze".split()
)
"""What gives a mean where it is given one, or one less a number."""

_JOINED = frozenset({"Stack", "Cat"})
_OF_WEIGHTS = _SAME | frozenset("Pow Abs Sqrt Sum Mean LinalgVectorNorm Norm Mul Div Exp Log T".split())
"""What a number that hangs on weights alone is made with."""

_RANKED = frozenset({"Topk", "Sort"})

_ROWS = "memlint.rows"
"""The key by which the node of a cross-entropy has the number of rows that it is a mean over."""

_MEAN = 1
"""torch's number for `reduction="mean"`."""

_DEEP = 256
"""Nodes that are followed in a row, or looked at below a reduction."""


def mark_mean(
    loss: Any,
    scores: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    *others: Any,
    **more: Any,
) -> None:
    """Remember of a cross-entropy, by what it was called with, over how many rows it is a mean.

    With smoothed labels, or shares of classes as targets, its graph has sums over classes and rows.
    """
    if reduction == "mean" and reduce is None and size_average is None:
        loss.grad_fn.metadata[_ROWS] = scores.numel() // scores.shape[1] if scores.dim() > 1 else 1


def is_mean(loss: Any, rows: Iterable[int], scaled: bool = False) -> bool:
    """Whether a loss is a mean over items, as far as its graph tells.

    `rows` are the numbers of items that a batch may have. `scaled` says that a GradScaler has multiplied it.
    """
    node = loss.grad_fn
    if node is None or loss.dim():
        return False
    if scaled and _kind(node) == "Mul":
        node = next(_above(node), None)
    return node is not None and _is_mean(node, tuple(rows), 0)


def _is_mean(node: Any, rows: tuple[int, ...], depth: int) -> bool:
    kind, given = _kind(node), list(_above(node))
    if depth > _DEEP or not given:
        return False
    over = node.metadata.get(_ROWS)
    if over is not None:
        return (not rows or any(over % each == 0 for each in rows)) and not _leaves_out(node)
    if kind in _SAME:
        return _is_mean(given[0], rows, depth + 1)
    if kind in ("Add", "Sub"):
        means = [each for each in given if not _of_weights(each, 0)]
        return bool(means) and all(_is_mean(each, rows, depth + 1) for each in means)
    if kind in ("Mul", "Div"):
        return _is_scaled_mean(node, kind, given, rows, depth)
    shape = shape_of(given[0])
    if kind in ("Mean", "Sum") and (shape == () or _kind(given[0]) in _JOINED):
        joined = [given[0]] if shape == () else list(_above(given[0]))
        return all(_is_mean(each, rows, depth + 1) for each in joined)
    if kind != "Mean" and saved_reduction(node) != _MEAN:
        return False
    counted = shape is None or not rows or any(prod(shape) % each == 0 for each in rows)
    return counted and not _leaves_out(given[0])


def _is_scaled_mean(node: Any, kind: str, given: list[Any], rows: tuple[int, ...], depth: int) -> bool:
    """A mean times, or by, a number that is the same for each part of a batch."""
    if len(given) == 1:
        # A number of the script lies on the host; what was made on the GPU was made of a batch.
        other = saved_other(node)
        if isinstance(other, torch.Tensor) and other.device.type != "cpu":
            return False
        number = number_in(other) if isinstance(other, torch.Tensor) and other.numel() == 1 else None
        if kind == "Mul" and number in rows:
            return False  # a sum again: `loss * len(batch)`
        return _is_mean(given[0], rows, depth + 1)
    first, second = given
    if kind == "Mul" and _of_weights(first, 0):
        first, second = second, first
    return _of_weights(second, 0) and _is_mean(first, rows, depth + 1)


def _of_weights(node: Any, depth: int) -> bool:
    """Whether a number is made of weights alone, one after the other."""
    if _kind(node) == "AccumulateGrad":
        return True
    given = list(_above(node))
    return (
        depth < _DEEP and len(given) == 1 and _kind(node) in _OF_WEIGHTS and _of_weights(given[0], depth + 1)
    )


def _leaves_out(node: Any) -> bool:
    """Whether what a mean reads was picked by a mask, or is the largest of all items together.

    How many that are, or which, differs from part to part.
    """
    waiting, seen = deque([node]), {id(node)}
    while waiting and len(seen) < _DEEP:
        node = waiting.popleft()
        kind = _kind(node)
        if kind == "MaskedSelect" or (kind in _RANKED and len(shape_of(node) or ()) == 1):
            return True
        if kind == "Index" and any(each.dtype in (torch.bool, torch.uint8) for each in saved_in(node)):
            return True
        for each in _above(node):
            if id(each) not in seen:
                seen.add(id(each))
                waiting.append(each)
    return False


def _kind(node: Any) -> str:
    return _NUMBERED.sub("", node.name().rpartition(":")[2])


def _above(node: Any) -> Iterator[Any]:
    """The nodes that made what a node was given."""
    return (each for each, _ in node.next_functions if each is not None)
