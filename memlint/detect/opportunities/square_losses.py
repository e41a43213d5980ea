"""Losses that compare every prediction of a batch with every target: (N, 1) against (N,)."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.shapes import shape_of
from memlint.analysis.shapes.sizes import Shape
from memlint.records import dataclass
from memlint.syntax.arguments import argument

_LOSSES = ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss")
_FUNCTIONS = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
PATHS = frozenset(
    [f"torch.nn.{n}" for n in _LOSSES]
    + [f"torch.nn.modules.loss.{n}" for n in _LOSSES]
    + [f"torch.nn.functional.{n}" for n in _FUNCTIONS]
)


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """A call of a loss whose sides broadcast to a matrix: `column` has shape (N, 1), `row` (N,)."""

    call: cst.Call
    column: cst.BaseExpression
    row: cst.BaseExpression


def squares(model: ScriptModel) -> Iterator[Square]:
    """The losses whose two sides have shapes (N, 1) and (N,) for certain."""
    seen: set[cst.CSTNode] = set()
    for event in model.trace.criteria.values():
        call = event.node
        if event.path not in PATHS or not isinstance(call, cst.Call) or call in seen or not model.owns(call):
            continue
        seen.add(call)
        sides = argument(call, 0, "input"), argument(call, 1, "target")
        if sides[0] is None or sides[1] is None:
            continue
        shapes = shape_of(model, sides[0]), shape_of(model, sides[1])
        if _is_column(shapes[0]) and _is_row(shapes[1]):
            yield Square(call, sides[0], sides[1])
        elif _is_column(shapes[1]) and _is_row(shapes[0]):
            yield Square(call, sides[1], sides[0])


def _is_column(shape: Shape | None) -> bool:
    """(N, 1); where the batch may have no dimension of its own, the other side says that it has."""
    return shape is not None and len(shape) == 2 and shape[1] == 1 and shape[0] != 1


def _is_row(shape: Shape | None) -> bool:
    return shape is not None and len(shape) == 1 and shape[0] is not ... and shape[0] != 1
