"""Functions that run again and again: for each trial of a search, or for each request to a server."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition, routes_of
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.tensorflow.flow import Flow
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import calls_in, literal
from memlint.syntax.tree import dotted, last_name

_FEW = 3
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Trials:
    """A function that runs many times, and the call that says so: a search, or the decorator of a route."""

    function: cst.FunctionDef
    search: cst.Call


def searches(flow: Flow) -> Iterator[Trials]:
    """The functions of the file that searches in one process run more than a few times."""
    for call in flow.model.names.calls:
        if not _is_search(flow, call) or _is_short(call):
            continue
        for arg in call.args:
            for function in _functions(flow, arg.value):
                yield Trials(function, call)


def handlers(flow: Flow) -> Iterator[Trials]:
    """The functions of the file that a web framework calls for each request: Flask, FastAPI, Sanic."""
    for function in flow.model.names.every(cst.FunctionDef):
        yield from (Trials(function, call) for call in routes_of(function))


def runs_in(flow: Flow, node: cst.CSTNode, function: cst.FunctionDef, depth: int = 0) -> bool:
    """Whether a node runs each time that a function does: in it, or in what it calls."""
    own = flow.model.function_of(node)
    if own is None or depth == _DEPTH:
        return False
    return own is function or any(runs_in(flow, s, function, depth + 1) for s in flow.graph.sites(own))


def _is_search(flow: Flow, call: cst.Call) -> bool:
    if lib.SEARCHES.match(flow.model.path_of(call.func)):
        return True
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != "optimize":
        return False
    made = (s for s in flow.sources(func.value) if isinstance(s, cst.Call))
    return any(flow.model.path_of(s.func).startswith("optuna.") for s in made)


def _is_short(call: cst.Call) -> bool:
    number = keyword(call, "n_trials") or keyword(call, "max_evals") or keyword(call, "n_calls")
    value = literal(number) if number is not None else None
    return isinstance(value, int) and value <= _FEW


def _functions(flow: Flow, node: cst.BaseExpression) -> Iterator[cst.FunctionDef]:
    """The function that an argument is, that a lambda calls, or that `partial` has."""
    if isinstance(node, cst.Lambda):
        for call in calls_in(node.body):
            yield from _functions(flow, call.func)
    elif isinstance(node, cst.Call) and last_name(node.func) == "partial" and node.args:
        yield from _functions(flow, node.args[0].value)
    elif dotted(node):
        found = definition(flow.model, node)
        if isinstance(found, cst.FunctionDef) and flow.model.owns(found):
            yield found
