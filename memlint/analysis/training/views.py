"""Views that are a small part of the storage they keep alive."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.value_sources import expressions_behind
from memlint.analysis.facts import Part
from memlint.analysis.knowledge import hints, libraries, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Ref, options_of
from memlint.syntax.expressions import calls_in, calls_one, literal, same
from memlint.syntax.tree import dotted, last_name, walk

_MANY = 1000
_BATCHES_OF_ONE = re.compile(r"batch_size\s*=\s*1\b|\b(randn?|zeros|ones|empty|full)\([\[(]?\s*1\s*,")
_SAME_SHAPE = frozenset("detach cpu cuda to float half double clone contiguous".split())


def is_small_part(model: ScriptModel, part: Part) -> bool:
    """Whether a selection is less than the whole for sure, and not nearly all of it.

    An index of 0 or -1, as `[:1]`, may hit a dimension of size one: then the name of the base has to speak
    of many.
    """
    node = part.node
    if any(c.args and isinstance(c.args[0].value, cst.SimpleString) for c in calls_in(node, "split")):
        return False
    if isinstance(node, cst.Call):
        return True
    if not isinstance(node, cst.Subscript):
        return part.every
    indices = [_number(e.slice.value) for e in node.slice if isinstance(e.slice, cst.Index)]
    numbers = [n for n in indices if n is not None]
    heads = [e.slice for e in node.slice if _is_tail_or_head(e.slice)]
    rest = node.slice[1:]
    if all(_is_whole(element.slice) for element in rest) and _has_one_row(model, part.base):
        return False
    if any(n not in (0, -1) for n in numbers) or not all(map(_is_first, heads)):
        return True
    if not numbers and not heads:
        return part.every and not any(isinstance(e.slice, cst.Slice) for e in node.slice)
    if len(node.slice) == 1:
        return _many_rows(model, part)
    if (len(node.slice) > 2 and len(numbers) + len(heads) == 1) or _is_wide(_last_name(model, part.base)):
        return True
    return _is_sequence(model, part.base)


def is_of_many(model: ScriptModel, part: Part) -> bool:
    """Whether what a selection is taken from is large by its name, or by the layer that gives it."""
    return _is_wide(_last_name(model, part.base)) or _is_sequence(model, part.base)


def is_cut(part: Part) -> bool:
    """Whether a call of its own makes the selection, `vector.narrow(0, offset, count)`; what goes through a
    tensor, as `rows.extend(batch)` does, gets all rows."""
    return isinstance(part.node, cst.Call) and part.node is not part.base


def _is_first(element: cst.BaseSlice) -> bool:
    """Whether a slice is `[:1]`, which is all of a dimension of size one."""
    if not isinstance(element, cst.Slice) or element.upper is None:
        return False
    return element.lower is None and _number(element.upper) == 1


def _is_sequence(model: ScriptModel, base: cst.BaseExpression) -> bool:
    """Whether a name is bound to the outputs of a recurrent layer for all steps: `out, h = self.gru(x)`."""
    for forward in model.trace.forwards.values():
        paths = [o.obj.path for o in options_of(forward.module) if isinstance(o, Ref)]
        above = model.parent(forward.node)
        if isinstance(above, cst.Assign) and any(libraries.RECURRENT.match(p) for p in paths):
            target = above.targets[0].target
            first = target.elements[0].value if isinstance(target, cst.Tuple) else None
            if first is not None and same(first, base):
                return not all(p.endswith("Cell") for p in paths)
    return False


def _many_rows(model: ScriptModel, part: Part) -> bool:
    """Whether `t[0]` is one row of several: the file nowhere makes batches of one."""
    if calls_one(part.base, "unsqueeze") or _adds_axis(part.base):
        return False
    if _BATCHES_OF_ONE.search(model.text):
        return False
    return _is_wide(_last_name(model, part.base)) and "unsqueeze(0" not in model.text


def _has_one_row(model: ScriptModel, base: cst.BaseExpression, calls: int = 3) -> bool:
    """Whether what a selection is taken from got its first dimension, of size one, a few calls before:
    `net(row[None])`."""
    return all(
        _adds_axis(made)
        or _unsqueezes_first(made)
        or (isinstance(made, cst.Call) and calls > 0 and _gets_one_row(model, made, calls - 1))
        for made in expressions_behind(model, base)
    )


def _gets_one_row(model: ScriptModel, call: cst.Call, calls: int) -> bool:
    """Whether what a network or another function is given first, or a method is called on, has one row."""
    given = [argument.value for argument in call.args[:1]]
    owner = call.func.value if isinstance(call.func, cst.Attribute) else None
    return any(_has_one_row(model, value, calls) for value in (*given, owner) if value is not None)


def _unsqueezes_first(node: cst.CSTNode) -> bool:
    """Whether an expression calls `unsqueeze(0)`."""
    return any(literal(arg.value) == 0 for call in calls_in(node, "unsqueeze") for arg in call.args)


def _adds_axis(node: cst.CSTNode) -> bool:
    """Whether an expression has a subscript that begins with None: `x[None]`, `x[None, :]`."""
    firsts = (n.slice[0].slice for n in walk(node) if type(n) is cst.Subscript)
    return any(isinstance(first, cst.Index) and literal(first.value) is None for first in firsts)


def _is_wide(name: str) -> bool:
    """Whether a name speaks of a tensor with much in it for each sample, and not of a number for each."""
    return bool(hints.WIDE_TENSOR.search(name)) and not naming.plain_name(name)


def _last_name(model: ScriptModel, base: cst.BaseExpression) -> str:
    while isinstance(base, (cst.Subscript, cst.Call)):
        base = base.value if isinstance(base, cst.Subscript) else base.func
        if isinstance(base, cst.Attribute) and base.attr.value in _SAME_SHAPE:
            base = base.value
    return last_name(base)


def _number(node: cst.BaseExpression) -> int | None:
    sign = 1
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        node, sign = node.expression, -1
    return sign * int(node.value, 0) if isinstance(node, cst.Integer) else None


def _is_whole(element: cst.BaseSlice) -> bool:
    """Whether an index takes all of its dimension: `:`, `...`."""
    if isinstance(element, cst.Slice):
        return element.lower is None and element.upper is None and element.step is None
    return isinstance(element, cst.Index) and isinstance(element.value, cst.Ellipsis)


def _is_tail_or_head(element: cst.BaseSlice) -> bool:
    """`[:k]`, `[a:b]`, `[-k:]` and `[45_000:]` with literals; `[1:]`, `[:-1]` are nearly all."""
    if not isinstance(element, cst.Slice):
        return False
    lower = _number(element.lower) if element.lower is not None else None
    upper = _number(element.upper) if element.upper is not None else None
    if element.lower is not None and lower is None:
        return False
    if upper is not None and upper > 0:
        return True
    return element.upper is None and lower is not None and not 0 <= lower < _MANY


def is_all_of_it(model: ScriptModel, part: Part, loop: cst.CSTNode) -> bool:
    """Whether the same last step is what the base is computed from in the next pass: `out[:, -1:]`, where
    each pass of the loop gives one step more. The view is all of such a base."""
    base = dotted(part.base)
    if not base or not isinstance(part.node, cst.Subscript):
        return False
    made = [a for a in model.every(cst.Assign, loop) if base in _targets(a) and isinstance(a.value, cst.Call)]
    fed = {name for a in made for name in model.names_in(a.value)}
    steps = [a for a in model.every(cst.Assign, loop) if a in made or _targets(a) & fed]
    return any(same(n, part.node) for a in steps for n in model.walk(a.value) if isinstance(n, cst.Subscript))


def _targets(node: cst.Assign) -> set[str]:
    """The names that an assignment binds, those of a tuple one by one."""
    elements = (e.value for t in node.targets if isinstance(t.target, cst.Tuple) for e in t.target.elements)
    return {dotted(t) for t in (*(t.target for t in node.targets), *elements)}
