"""Conversions of logits to float32 on the way into a cross-entropy."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Event, Forward
from memlint.analysis.model import ScriptModel
from memlint.detect.precision.low_outputs import is_low, lowers, runs_under_autocast
from memlint.records import dataclass
from memlint.syntax.arguments import argument
from memlint.syntax.tree import last_name

_LOSSES = (
    "torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss",
    "torch.nn.modules.loss.CrossEntropyLoss",
)  # fmt: skip
_SOFTMAX = ("torch.nn.functional.log_softmax", "torch.log_softmax")
_RESHAPES = frozenset(
    "view reshape flatten transpose permute contiguous squeeze unsqueeze narrow swapaxes movedim".split()
)
_FLOAT32 = frozenset({"torch.float32", "torch.float"})
_DEPTH = 4


@dataclass(frozen=True, slots=True, eq=False)
class Upcast:
    """`logits.float()` for a loss: the conversion, the loss, and the forward that made the logits.

    `inside` says that the loss runs under autocast, which converts by itself.
    """

    call: cst.Call
    loss: cst.CSTNode
    forward: Forward
    inside: bool


def upcasts(model: ScriptModel) -> Iterator[Upcast]:
    """The conversions of logits in half precision, with the gradients that training needs."""
    for event in _losses(model):
        call = event.node
        given = argument(call, 0, "input") if isinstance(call, cst.Call) else None
        region = event.regions[-1].cast if event.regions else None
        if given is None or (region is not None and region.enabled is False):
            continue
        within = runs_under_autocast(model, call)
        for cast in _casts(model, given, _DEPTH):
            assert isinstance(cast.func, cst.Attribute)
            for forward in _forwards(model, cast.func.value):
                if forward.grad != "off" and (within or is_low(model, forward)):
                    yield Upcast(cast, call, forward, within or (region is not None and lowers(region)))
                    break


def _losses(model: ScriptModel) -> Iterator[Event]:
    yield from (event for event in model.trace.criteria.values() if event.path in _LOSSES)
    yield from calls_of(model, *_SOFTMAX)


def _casts(model: ScriptModel, node: cst.BaseExpression, depth: int) -> Iterator[cst.Call]:
    """The conversions to float32 that an expression is, perhaps in another shape or under a name."""
    node = _inner(node)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and not model.path_of(node.func):
        if _is_upcast(model, node, node.func.attr.value):
            yield node
    elif isinstance(node, (cst.Name, cst.Attribute)) and depth:
        for value in reaching_values(model, node):
            yield from _casts(model, value, depth - 1)


def _inner(node: cst.BaseExpression) -> cst.BaseExpression:
    """What was reshaped or indexed."""
    while True:
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value not in _RESHAPES:
                return node
            node = node.func.value
        else:
            return node


def _is_upcast(model: ScriptModel, call: cst.Call, name: str) -> bool:
    if name == "float":
        return not call.args
    wanted = argument(call, 0, "dtype") if name in ("to", "type") else None
    return wanted is not None and model.path_of(wanted) in _FLOAT32


def _forwards(model: ScriptModel, node: cst.BaseExpression) -> list[Forward]:
    """The forward passes that gave logits: `net(x)`, `out.logits`, `out[0]`."""
    made = {forward.node: forward for forward in model.trace.forwards.values()}
    node, found = _inner(node), list[Forward]()
    if isinstance(node, cst.Attribute) and last_name(node) in ("logits", "lm_logits", "prediction_logits"):
        node = node.value
    for source in value_sources(model, node):
        end = _inner(source.node) if isinstance(source.node, cst.BaseExpression) else source.node
        if isinstance(end, cst.Attribute) or (isinstance(end, cst.Name) and end is not node):
            found += _forwards(model, end)
        elif end in made:
            found.append(made[end])
    return found
