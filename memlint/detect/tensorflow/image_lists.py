"""Lists of arrays and images, each read from a file of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted

_READS = re.compile(r"^numpy\.load$|(^|\.)(imread|load_img|img_to_array|Image\.open|decode_jpeg)$")
_CHANGES = re.compile(r"(^|\.)(resize|cvtColor|array|asarray|expand_dims|flip|float32|img_to_array)$")
_KEEPS = frozenset({"astype", "reshape", "copy", "transpose", "squeeze"})


def reads_each(flow: Flow, node: cst.BaseExpression) -> bool:
    """Whether a list is made by reading an array or image from each of many files."""
    for source in flow.sources(node):
        calls = flow.model.walk(source.elt) if isinstance(source, cst.ListComp) else ()
        if any(type(c) is cst.Call and _READS.search(flow.api(c.func) or dotted(c.func)) for c in calls):
            return True
        filled = _appended(flow, node) if isinstance(source, cst.List) and not source.elements else ()
        if any(_is_read(flow, value, 3) for value in filled):
            return True
    return False


def _appended(flow: Flow, name: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a loop of the same function appends to a list."""
    function = flow.model.function_of(name)
    for call in flow.named("append"):
        method, inside = call.func, flow.model.function_of(call) is function
        if inside and isinstance(method, cst.Attribute) and same(method.value, name) and flow.loops(call):
            yield from (arg.value for arg in call.args[:1])


def _is_read(flow: Flow, value: cst.BaseExpression, depth: int) -> bool:
    """Whether an expression is an array or image from a file, perhaps changed: resized, scaled, cut out."""
    if isinstance(value, cst.BinaryOperation):
        return _is_read(flow, value.left, depth)
    if isinstance(value, cst.Name) and depth:
        made = (s for s in flow.sources(value) if isinstance(s, cst.BaseExpression) and s is not value)
        return any(_is_read(flow, source, depth - 1) for source in made)
    if not isinstance(value, cst.Call):
        return isinstance(value, cst.Subscript) and _is_read(flow, value.value, depth)
    if _READS.search(flow.api(value.func) or dotted(value.func)):
        return True
    if isinstance(value.func, cst.Attribute) and value.func.attr.value in _KEEPS:
        return _is_read(flow, value.func.value, depth)
    changes = _CHANGES.search(flow.api(value.func) or dotted(value.func))
    return bool(changes and value.args) and _is_read(flow, value.args[0].value, depth)
