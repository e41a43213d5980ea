"""Which values of a graph are made in one iteration and used again in later ones: caches and first passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.facts import Backward, Event
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.syntax.expressions import place, same
from memlint.syntax.tree import last_name, root_name

_CACHING = frozenset({"cache", "lru_cache", "cached_property", "memoize", "cached", "lazy_property"})
_FALLBACKS = frozenset({"setdefault", "get"})
_BRANCHES = (cst.If, cst.Else, cst.ExceptHandler, cst.IfExp, cst.BooleanOperation)


def made_once(model: ScriptModel, backward: Backward, graph: set[int]) -> bool:
    """Whether a part of a graph may be left from an earlier run of the backward: it is cached, or made where
    it is missing (`if self.h is None: self.h = net(x)`), by a generator ahead of its loop, or outside of a
    function that code out of view runs, or it comes out of a container of earlier results.
    """
    frames = {frame for n in graph if (frame := model.trace.made_in.get(n)) is not None}
    if _is_before_what_others_run(backward, frames) or _comes_out_of_container(model, backward):
        return True
    if any(_is_cached(f.node) for frame in frames for f in frame.chain()):
        return True
    if any(_keeps_first(model, node) for node in _network_classes(model)):
        return True
    forwards = [f for f in model.trace.passes() if f.ids & graph]
    return any(_ahead_in_generator(model, f) for f in forwards) or any(
        _is_kept(model, branch, node) for f in forwards for branch, node in _own_branches(model, f, backward)
    )


def _network_classes(model: ScriptModel) -> list[cst.ClassDef]:
    """The classes that are networks by an object of the run, or in this file by their bases."""
    made = {o.cls.node for o in model.trace.objects.values() if o.kind == "module" and o.cls is not None}
    named = (c for c in model.names.every(cst.ClassDef) if c not in made)
    return [*made, *(c for c in named if any(last_name(b.value).endswith("Module") for b in c.bases))]


def _comes_out_of_container(model: ScriptModel, backward: Backward) -> bool:
    """Whether a backward runs through a container that outlives the iteration and takes in what has a graph,
    or through an entry that each iteration reads before it gives it a new value.
    """
    trace, passed = model.trace, model.trace.ancestors(backward.ids)
    inner = backward.loops[-1] if backward.loops else None
    kept = (
        s for s in trace.stores.values() if s.how == "store" and inner in s.loops and inner not in s.fresh
    )
    if any(s.ids & passed and model.machine.number("content", s.key[0]) in passed for s in kept):
        return True
    loop = next((a for a in model.ancestors(backward.node) if isinstance(a, (cst.For, cst.While))), None)
    entries = model.every(cst.Subscript, loop) if loop is not None else []
    return any(
        model.is_target(entry) and any(_is_read_with_graph(model, other, entry) for other in entries)
        for entry in entries
    )


def _is_read_with_graph(model: ScriptModel, read: cst.Subscript, written: cst.Subscript) -> bool:
    """Whether an entry is used in a computation above the line that gives it a new value."""
    if not same(read, written) or model.positions[read] >= model.positions[written]:
        return False
    return isinstance(model.parent(read), cst.BinaryOperation)


def _is_before_what_others_run(backward: Backward, frames: Iterable[Frame]) -> bool:
    """Whether code out of view is given the function that runs backward, as `optimizer.step(closure)` is, and
    may run it several times for what was made before."""
    chain = backward.frame.chain()
    for depth, frame in enumerate(chain):
        given = [arg.value for arg in frame.call.args] if isinstance(frame.call, cst.Call) else []
        if any(x is frame.node or (isinstance(x, cst.Name) and x.value == frame.name) for x in given):
            within = set(chain[: depth + 1])
            return any(within.isdisjoint(made.chain()) for made in frames)
    return False


def _keeps_first(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether a method other than the constructor keeps what it computes where it asks for it first."""
    for method in model.every(cst.FunctionDef, owner):
        if _is_cached(method):
            return True
        for line in model.every(cst.Assign, method) if method.name.value != "__init__" else ():
            kept = {_member(t.target) for t in line.targets} - {""}
            if kept and _is_asked_for(model, line, kept):
                return True
    return False


def _member(node: cst.CSTNode) -> str:
    """`x` for what is stored as `self.x`, `self.x[...]`; "" for anything else."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return node.attr.value if isinstance(node, cst.Attribute) and root_name(node) == "self" else ""


def _is_asked_for(model: ScriptModel, line: cst.Assign, kept: set[str]) -> bool:
    for above in (line.value, *model.ancestors(line)):
        if isinstance(above, cst.FunctionDef):
            return False
        if isinstance(above, cst.ExceptHandler):
            return True
        if isinstance(above, (cst.If, cst.IfExp)):
            words = (getattr(n, "value", "") for n in model.walk(above.test))
            if any(isinstance(word, str) and word.strip("\"'") in kept for word in words):
                return True
    return False


def _is_cached(function: cst.CSTNode) -> bool:
    if not isinstance(function, cst.FunctionDef):
        return False
    given = [d.decorator for d in function.decorators]
    return any(last_name(d.func if isinstance(d, cst.Call) else d) in _CACHING for d in given)


def _ahead_in_generator(model: ScriptModel, event: Event) -> bool:
    """Whether a generator that yields in a loop runs the event before that loop."""
    for frame, node in active_nodes(event).items():
        if isinstance(frame.node, cst.FunctionDef) and not _loops(model, node):
            yields = (y for y in model.every(cst.Yield, frame.node) if model.function_of(y) is frame.node)
            if any(_loops(model, y) for y in yields):
                return True
    return False


def _loops(model: ScriptModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The loops around a node in its function."""
    found: list[cst.CSTNode] = []
    for above in model.ancestors(node):
        if isinstance(above, cst.FunctionDef):
            break
        if isinstance(above, (cst.For, cst.While)):
            found.append(above)
    return found


def _own_branches(
    model: ScriptModel, event: Event, backward: Backward
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The branches that an event, or a call that leads to it, stands in and the backward does not."""
    shared = {above for node in active_nodes(backward).values() for above in model.ancestors(node)}
    for node in active_nodes(event).values():
        for above in model.ancestors(node):
            if isinstance(above, (cst.FunctionDef, cst.For, cst.While)):
                break
            if above not in shared and (isinstance(above, _BRANCHES) or _is_fallback(above)):
                yield above, node


def _is_fallback(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and last_name(node.func) in _FALLBACKS


def _parts(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The places that an assignment fills."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return [part for element in target.elements for part in _parts(element.value)]
    return [target]


def _is_kept(model: ScriptModel, branch: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether what a branch makes is stored where the branch itself, or its condition, looks for it."""
    line = model.statement_of(node)
    if _is_fallback(branch) or line is None:
        return True
    given = [t.target for n in model.walk(line) if isinstance(n, cst.Assign) for t in n.targets]
    assigned = [part for target in given for part in _parts(target)]
    if any(isinstance(target, (cst.Attribute, cst.Subscript)) for target in assigned):
        return True
    names = {place(target) for target in assigned if isinstance(target, cst.Name)}
    asked = [branch.test] if isinstance(branch, (cst.If, cst.IfExp)) else []
    asked += [branch.left] if isinstance(branch, cst.BooleanOperation) else []
    return any(root_name(n) in names for test in asked for n in model.walk(test) if isinstance(n, cst.Name))
