"""Attention written by hand: a product of queries and keys, a softmax, and a product with values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.attention_scores import METHODS, TURNS, factors_of, product_behind
from memlint.records import dataclass
from memlint.syntax.expressions import literal, speaks_of

_SOFTMAX = frozenset({"torch.softmax", "torch.nn.functional.softmax", "torch.special.softmax"})
_SIZES = frozenset({"shape", "size", "dtype", "device", "dim", "ndim"})
_DEPTH = 12


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """A map of attention: the product that makes its scores, and the softmax of `given` over a dimension."""

    scores: cst.BaseExpression
    softmax: cst.Call
    given: cst.BaseExpression
    dimension: int


def attentions(model: ScriptModel) -> Iterator[Attention]:
    """The maps of attention that nothing but the product with the values reads."""
    for call in model.names.calls:
        softened = _softened(model, call)
        scores = product_behind(model, softened[0], _DEPTH) if softened is not None else None
        if softened is not None and scores is not None and _only_weighs(model, call, _DEPTH):
            yield Attention(scores, call, *softened)


def _softened(model: ScriptModel, call: cst.Call) -> tuple[cst.BaseExpression, int] | None:
    """What a call takes the softmax of, over the last dimension, and how that is written."""
    func = call.func
    path = model.path_of(func)
    given: cst.BaseExpression | None
    made = _layers_behind(model, call) if not path and call.args else []
    if made and all(model.path_of(m.func) == "torch.nn.Softmax" for m in made):
        given, rest = call.args[0].value, made[0].args
    elif path in _SOFTMAX:
        given, rest = (call.args[0].value if call.args else None), call.args[1:]
    elif isinstance(func, cst.Attribute) and func.attr.value == "softmax" and not path:
        given, rest = func.value, call.args
    else:
        return None
    dims = [literal(a.value) for a in rest if a.keyword is None or a.keyword.value == "dim"]
    if given is None or not dims or not isinstance(dims[0], int) or dims[0] not in (-1, 2, 3):
        return None
    return given, dims[0]


def _layers_behind(model: ScriptModel, call: cst.Call) -> list[cst.Call]:
    """The calls that made what a call runs, in a file that can come upon a layer of softmax at all."""
    if "Softmax" not in model.identifiers and "Softmax" not in model.words_around:
        return []
    return [o.node for o in value_sources(model, call.func) if isinstance(o.node, cst.Call)]


def _only_weighs(model: ScriptModel, node: cst.CSTNode, depth: int) -> bool:
    """Whether the value of an expression goes into a product of matrices, or dropout before it, and no
    further."""
    above = model.parent(node)
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        if isinstance(call, cst.Call) and above.keyword is None:
            if factors_of(model, call):
                return True
            dropped = call.args[0] is above and speaks_of(call.func, hints.DROPOUT)
            return dropped and _only_weighs(model, call, depth)
        return False
    if isinstance(above, cst.BinaryOperation):
        return isinstance(above.operator, cst.MatrixMultiply)
    if isinstance(above, cst.Attribute):
        call = model.parent(above)
        if above.attr.value in METHODS:
            return isinstance(call, cst.Call)
        return above.attr.value in TURNS and isinstance(call, cst.Call) and _only_weighs(model, call, depth)
    if isinstance(above, cst.Assign) and len(above.targets) == 1 and depth > 0:
        target = above.targets[0].target
        return isinstance(target, cst.Name) and _reads_only_weigh(model, above, target, depth)
    return False


def _reads_only_weigh(model: ScriptModel, line: cst.Assign, target: cst.Name, depth: int) -> bool:
    found = variable(model, target, target.value)
    statement = model.statement_of(line)
    if found is None or found.captured or statement is None:
        return False
    reads = [r for r in found.reads_after(statement) if not _is_size(model, r)]
    return bool(reads) and all(_only_weighs(model, read, depth - 1) for read in reads)


def _is_size(model: ScriptModel, read: cst.CSTNode) -> bool:
    above = model.parent(read)
    return isinstance(above, cst.Attribute) and above.attr.value in _SIZES
