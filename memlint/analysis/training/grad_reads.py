"""Where a file reads the gradients that backward leaves in `.grad`, and what else may look at them."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import calls_in, literal, words_of
from memlint.syntax.tree import dotted, last_name, root_name, walk


def grad_reads(model: ScriptModel) -> list[cst.Attribute]:
    """Every `x.grad` that is read, other than the function `torch.autograd.grad`."""
    if "grad" not in model.identifiers:
        return []
    return [
        node
        for node in model.names.every(cst.Attribute)
        if node.attr.value == "grad" and not model.is_target(node) and not _is_function(model, node)
    ]


@cached
def steps_by_hand(model: ScriptModel) -> bool:
    """Whether the file changes parameters by their `.grad` without an optimizer."""
    return bool(applied_by_hand(model))


@cached
def applied_by_hand(model: ScriptModel) -> list[cst.Attribute]:
    """The reads of `.grad` that change a parameter without an optimizer: `p -= lr * p.grad`,
    `p.data.add_(p.grad, alpha=-lr)`, `p.data = p - lr * p.grad`."""
    return [node for node in grad_reads(model) if _is_applied(model, node)]


def _is_applied(model: ScriptModel, node: cst.Attribute) -> bool:
    owner = root_name(node.value)
    for above in model.ancestors(node):
        match above:
            case cst.Call(func=cst.Attribute(value=changed, attr=name)):
                in_place = name.value.endswith("_") and not name.value.endswith("__")
                if in_place and not _names_grad(changed):
                    return True
            case cst.AugAssign(target=target):
                return root_name(target) == owner and not _names_grad(target)
            case cst.Assign(targets=[cst.AssignTarget(target=target)]):
                return root_name(target) == owner and not _names_grad(target)
            case cst.BaseStatement():
                return False
    return False


def _names_grad(node: cst.CSTNode) -> bool:
    return any(type(part) is cst.Attribute and part.attr.value == "grad" for part in walk(node))


def may_read_gradients(nodes: Iterable[cst.CSTNode]) -> bool:
    """Whether some of this code reads gradients by the name of the attribute, or by a function that does."""
    for node in nodes:
        if type(node) is cst.SimpleString and node.raw_value == "grad":
            return True
        if type(node) is cst.Name and hints.READS_GRADIENTS.search(node.value):
            return True
    return False


@cached
def readers(model: ScriptModel) -> tuple[frozenset[str], list[int]]:
    """The names of the functions that may read gradients, and where code does so or names one of them.

    The functions are those of the file and of what the run came to; naming another one that reads is reading.
    """
    own: dict[str, set[str]] = {}
    found: set[str] = set()
    for names in model.all_names():
        for function in names.every(cst.FunctionDef):
            name, body = function.name.value, names.walk(function)
            if any(_may_read(node) for node in body):
                found.add(name)
            own.setdefault(name, set()).update(node.value for node in body if type(node) is cst.Name)
    found.discard("__init__")
    grows = True
    while grows:
        more = {name for name, words in own.items() if name not in found and words & (found - {name})}
        more.discard("__init__")
        found |= more
        grows = bool(more)
    places = [
        place
        for place, node in enumerate(model.names.preorder.nodes)
        if _may_read(node) or (type(node) is cst.Name and node.value in found)
    ]
    return frozenset(found), places


def calls_what_it_is_given(model: ScriptModel, region: Iterable[cst.CSTNode]) -> bool:
    """Whether code calls a parameter that is neither network nor loss, where something reads gradients."""
    functions, places = readers(model)
    if not functions and not places:
        return False
    trace = model.trace
    known = {e.node for e in (*trace.forwards.values(), *trace.criteria.values())}
    calls = (n for part in region for n in model.walk(part) if type(n) is cst.Call and n not in known)
    return any(
        type(call.func) is cst.Name and owner is not None and call.func.value in parameters(owner)
        for call in calls
        for owner in (model.function_of(call),)
    )


def _may_read(node: cst.CSTNode) -> bool:
    return may_read_gradients([node]) or (type(node) is cst.Attribute and node.attr.value == "grad")


@cached
def asks_for_graph(model: ScriptModel) -> bool:
    """Whether the file asks something that no loop over parameters names whether it carries a graph."""
    return any(
        node.attr.value in _GRAPH_MARKS
        and not isinstance(model.parent(node), (cst.AssignTarget, cst.Call))
        and not _is_loop_variable(model, node.value)
        for node in model.names.every(cst.Attribute)
    )


def _is_loop_variable(model: ScriptModel, node: cst.BaseExpression) -> bool:
    name = node.value if isinstance(node, cst.Name) else ""
    loops = (above for above in model.ancestors(node) if isinstance(above, (cst.For, cst.BaseComp)))
    clauses = (x if isinstance(x, cst.For) else x.for_in for x in loops)
    over = [c.iter for c in clauses if name in model.names_in(c.target)]
    return bool(name) and bool(over) and not any(last_name(x) in _filled(model) for x in over)


@cached
def _filled(model: ScriptModel) -> frozenset[str]:
    """The last names of the lists that the file appends to: what is in them are no parameters."""
    funcs = (call.func for call in model.names.calls)
    methods = (f for f in funcs if isinstance(f, cst.Attribute))
    return frozenset(last_name(f.value) for f in methods if f.attr.value in ("append", "extend", "add"))


_GRAPH_MARKS = frozenset({"requires_grad", "grad_fn", "is_leaf"})


def _is_function(model: ScriptModel, node: cst.Attribute) -> bool:
    return model.names.one(node).startswith("torch.") or dotted(node).endswith("autograd.grad")


def is_checked_for_none(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether a read of `.grad` asks for None, or stands where that was asked."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.If, cst.IfExp)) and _asks_for_none(above.test):
            return True
        if isinstance(above, (cst.CompFor, cst.BaseComp)):
            clauses = above.for_in if isinstance(above, cst.BaseComp) else above
            if any(_asks_for_none(c.test) for c in clauses.ifs):
                return True
        if isinstance(above, cst.Comparison) and _asks_for_none(above):
            return True
        if isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return False
    return False


def _asks_for_none(test: cst.BaseExpression) -> bool:
    """Whether a condition has `x.grad is None`, `x.grad is not None` or `getattr(x, "grad", ...)` in it."""
    if any("grad" in words_of(call) for call in calls_in(test, "getattr")):
        return True
    return any(
        type(node) is cst.Comparison
        and type(node.left) is cst.Attribute
        and node.left.attr.value == "grad"
        and isinstance(node.comparisons[0].operator, (cst.Is, cst.IsNot))
        and literal(node.comparisons[0].comparator) is None
        for node in walk(test)
    )


def clears_in_place(model: ScriptModel, node: cst.Attribute) -> bool:
    """Whether a read of `.grad` is that of `p.grad.zero_()`, `p.grad.data.zero_()` or `p.grad.detach_()`."""
    above = model.parent(node)
    if isinstance(above, cst.Attribute) and above.attr.value == "data":
        above = model.parent(above)
    return isinstance(above, cst.Attribute) and above.attr.value in ("zero_", "detach_", "requires_grad_")
