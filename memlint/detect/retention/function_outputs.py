"""What goes through the forward pass of an autograd Function: its arguments, and its outputs with a graph."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import place


def passed(
    model: ScriptModel,
    own: dict[str, cst.FunctionDef],
    function: cst.FunctionDef,
    node: cst.Assign,
    value: cst.BaseExpression,
) -> tuple[bool, bool]:
    """Whether an assigned value is an output that refers to its graph, and whether it is an argument.

    One of several outputs whose gradient backward never reads may hold whole numbers, `return out, indices`:
    such outputs get no `grad_fn` (torch 2.13, `_wrap_outputs` in custom_function.cpp).
    """
    names = {place(value), *(place(t.target) for t in node.targets)} - {""}
    if function.name.value == "setup_context":
        passed = reaching_definitions(model, value)
        last = function.params.params[-1]
        return any(d.node is last for d in passed), any(d.kind == "item" for d in passed)
    returned = [r.value for r in model.names.every(cst.Return, function.body) if r.value is not None]
    parts = [
        element.value
        for r in returned
        if isinstance(r, cst.Tuple)
        for number, element in enumerate(r.elements)
        if _reads_gradient(model, own.get("backward"), number)
    ]
    given = place(value) in parameters(function)[1:]
    output = bool(names & {place(r) for r in (*returned, *parts)})
    return output and not _is_container(model, value), given


def _is_container(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a value is a list or the like: apply() hands it on as it is, and sets no `grad_fn`."""
    sources = [source.node for source in value_sources(model, value) if source.kind == "value"]
    return bool(sources) and all(isinstance(source, _CONTAINERS) for source in sources)


_CONTAINERS = (cst.List, cst.Tuple, cst.Dict, cst.Set, cst.BaseComp)


def _reads_gradient(model: ScriptModel, backward: cst.FunctionDef | None, number: int) -> bool:
    """Whether backward uses the gradient of an output, as far as its parameters tell."""
    if backward is None or not model.owns(backward):
        return True
    taken = [*backward.params.posonly_params, *backward.params.params][1:]
    rest = backward.params.star_arg
    taken = taken[number : number + 1] or ([rest] if isinstance(rest, cst.Param) else [])
    read = {name.value for name in model.names.every(cst.Name, backward.body)}
    return any(param.name.value in read for param in taken)
