"""Copies of a tensor along dimensions of size one, which elementwise operations repeat by themselves."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.size_one import size_one
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.analysis.uses.elementwise import is_read_elementwise
from memlint.detect.opportunities.small_copies import are_few, is_mask
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal, words_of


@dataclass(frozen=True, slots=True, eq=False)
class Expansion:
    """A copy of a tensor for each repetition.

    `sizes` is what `expand` takes, "" where that is not known; `certain` says that the tensor has as many
    dimensions, and `slight` that these are two, or three of truth values.
    """

    call: cst.Call
    owner: cst.BaseExpression
    sizes: str
    certain: bool
    slight: bool


def expansions(model: ScriptModel) -> Iterator[Expansion]:
    """The copies along dimensions of size one that nothing but elementwise operations reads."""
    for call in model.names.calls:
        func = call.func
        if not isinstance(func, cst.Attribute) or model.path_of(func):
            continue
        if func.attr.value in ("repeat", "tile"):
            found = _repeated(model, call, func.value)
        elif func.attr.value == "repeat_interleave":
            found = _interleaved(model, call, func.value)
        else:
            continue
        if found is None or _is_of_weights(model, func.value) or not _runs_often(model, call):
            continue
        if is_read_elementwise(model, call):
            yield found


def _repeated(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> Expansion | None:
    """`x.unsqueeze(1).repeat(1, n, 1)`"""
    if any(a.keyword is not None or a.star for a in call.args):
        return None
    counts = [a.value for a in call.args]
    if len(counts) == 1 and isinstance(counts[0], (cst.Tuple, cst.List)):
        counts = [e.value for e in counts[0].elements]
    copied = [i for i, count in enumerate(counts) if literal(count) != 1]
    ones, certain = size_one(model, owner, len(counts))
    if not copied or not set(copied) <= ones or are_few(model, call, owner, [counts[i] for i in copied]):
        return None
    sizes = ", ".join(model.code(c) if i in copied else "-1" for i, c in enumerate(counts))
    tiled = isinstance(call.func, cst.Attribute) and call.func.attr.value == "tile"
    # What is repeated has one number along the other dimensions of size one: they make no copy larger.
    extent = len(counts) - len(ones.difference(copied))
    slight = extent <= 2 or (len(counts) == 3 and is_mask(model, call, owner))
    return Expansion(call, owner, "" if tiled else sizes, certain, slight)


def _interleaved(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> Expansion | None:
    """`x.unsqueeze(1).repeat_interleave(n, dim=1)`"""
    dim = keyword(call, "dim") or (call.args[1].value if len(call.args) == 2 else None)
    at = literal(dim) if dim is not None else None
    if not call.args or call.args[0].keyword is not None or not isinstance(at, int):
        return None
    if at not in size_one(model, owner, 0)[0] or are_few(model, call, owner, [call.args[0].value]):
        return None
    return Expansion(call, owner, "", certain=False, slight=False)


def _runs_often(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call is part of what a step does: not of setting up, of a sample, or of a test."""
    function = model.function_of(call)
    loops = any(isinstance(above, (cst.For, cst.While)) for above in model.ancestors(call))
    if stands_in_unit_test(model, call) or (function is None and not loops):
        return False
    name = function.name.value if function is not None else ""
    return loops or not (naming.runs_once(name) or name in ("__getitem__", "main"))


def _is_of_weights(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether weights are repeated, once, to fit into a network of another shape."""
    return any(hints.LAYER_WEIGHTS.search(word) for word in words_of(owner))


def decides_layout(model: ScriptModel, found: Expansion) -> bool:
    """Whether the order in memory of what is computed may be that of the copy.

    That of the first operand decides (`TensorIterator` in torch), and a view has none along its repetitions:
    what is computed from it may get another layout, which `.view()` refuses.
    """
    above = model.parent(found.call)
    if isinstance(above, cst.BinaryOperation):
        return above.right is not found.call
    return not isinstance(above, cst.AugAssign)
