"""Objects that a script calls for its loss: what their other methods give of tensors has a graph as well."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Tensor, Value
from memlint.syntax.expressions import place


def comes_from_criterion(model: ScriptModel, value: Value, node: cst.CSTNode) -> bool:
    """Whether a value, which may be a tensor with a graph, is what a method of a criterion gives.

    `node` is the expression for it: `judge.overlap(guess, y)`, where `judge(guess, y).backward()` trains.
    """
    if not (isinstance(value, Tensor) and value.ids & model.trace.maybe_detached):
        return False
    if not isinstance(node, cst.BaseExpression):
        return False
    for source in value_sources(model, node):
        call = source.node
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
            owner = place(call.func.value)
            if owner and (_scope(model, call, owner), owner) in _criteria(model):
                return True
    return False


@cached
def _criteria(model: ScriptModel) -> set[tuple[cst.CSTNode | None, str]]:
    """The places that are called for what a backward begins with, each with where its name is bound."""
    found: set[tuple[cst.CSTNode | None, str]] = set()
    for backward in model.trace.backwards.values():
        node = backward.node
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            continue
        for source in value_sources(model, node.func.value):
            called = place(source.node.func) if isinstance(source.node, cst.Call) else ""
            if called:
                found.add((_scope(model, source.node, called), called))
    return found


def _scope(model: ScriptModel, node: cst.CSTNode, name: str) -> cst.CSTNode | None:
    """Where a place has one meaning: the class for what is in `self`, else the function."""
    return model.class_of(node) if name.startswith("self.") else model.function_of(node)
