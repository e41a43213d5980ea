"""Whether what a loop gathers is joined and moved to the host later: then it was on the device until then."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import parameters
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import shown_container, without_entry
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import calls_in, is_text, place, same
from memlint.syntax.tree import last_name

_DEPTH = 4
_REDUCING = frozenset("mean std var median sum max min argmax argmin topk any all item norm".split())
_MEMBERS = frozenset("values items get pop copy".split())
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_THROUGH = (
    cst.Index, cst.SubscriptElement, cst.Element, cst.DictElement, cst.StarredElement, cst.List, cst.Tuple,
    cst.Dict, cst.IfExp, cst.BinaryOperation,
)  # fmt: skip


def moved_to_host(model: ScriptModel, shown: str, store: cst.CSTNode, *, unasked: bool = False) -> bool:
    """Whether a container's members, joined or one by one, get a `.cpu()` after a store into it.

    `shown` is the container as the store shows it (`Store.target`), `store` the node of the store. With
    `unasked`, what happens only where a caller asks for it by an argument does not count.
    """
    if not _names_the_host(model):
        return False
    later = (n for n in _mentions(model, shown, store) if not (unasked and _is_asked_for(model, n, store)))
    seen: dict[cst.CSTNode, int] = {}
    return any(_reaches_host(model, node, _DEPTH, seen) for node in later)


@cached
def _names_the_host(model: ScriptModel) -> bool:
    """Whether the file, or a definition of another one that its run came to, has the word without which
    nothing moves there."""
    units = model.cross_module.units.values() if model.cross_module is not None else ()
    return "cpu" in model.text or any("cpu" in unit.text for unit in units)


def reaches_host(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the value of an expression gets a `.cpu()`, there or under the name that it gets."""
    return _reaches_host(model, node, _DEPTH, {})


def moves_to_host(node: cst.CSTNode) -> bool:
    """Whether an expression holds a `.cpu()`."""
    methods = ((c.func, c) for c in calls_in(node) if isinstance(c.func, cst.Attribute))
    return any(_moves(func.attr.value, call) for func, call in methods)


def reads_of_container(model: ScriptModel, shown: str, store: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The reads of a container in its function, or class if it is an attribute, without a store into it."""
    for node in _mentions(model, shown, store):
        above = model.parent(node)
        while isinstance(above, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
            above = model.parent(above)
        bound = isinstance(above, (cst.AnnAssign, cst.AugAssign)) and above.target is node
        if not (bound or isinstance(above, (cst.AssignTarget, cst.Param))):
            yield node


def _mentions(model: ScriptModel, shown: str, store: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The places that name a container, `shown` as in `moved_to_host`, apart from a store into it."""
    box = shown_container(shown)
    name = place(box) if box is not None else ""
    if name:
        for node in model.walk(_scope(model, store, name)):
            named = type(node) in (cst.Name, cst.Attribute) and place(node) == name
            if named and not _is_within(model, node, store):
                yield node


def _is_asked_for(model: ScriptModel, node: cst.CSTNode, store: cst.CSTNode) -> bool:
    """Whether a node stands under a test of an argument of its function that a store does not depend on."""
    function = model.function_of(node)
    given = {param.name.value for param in parameters(function)} if function is not None else set[str]()
    for_store = list(_tests(model, store))
    return any(
        model.names_in(test) & given and not any(same(test, other) for other in for_store)
        for test in _tests(model, node)
    )


def _tests(model: ScriptModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The conditions that a node stands under."""
    return (above.test for above in model.ancestors(node) if isinstance(above, (cst.If, cst.IfExp)))


def _scope(model: ScriptModel, store: cst.CSTNode, name: str) -> cst.CSTNode:
    """The function of a local container, the class of one in `self`, else the module."""
    if name.startswith("self."):
        return model.class_of(store) or model.root_of(store)
    return model.function_of(store) or model.root_of(store)


def _is_within(model: ScriptModel, node: cst.CSTNode, store: cst.CSTNode) -> bool:
    return node is store or any(above is store for above in model.ancestors(node))


def _reaches_host(model: ScriptModel, node: cst.CSTNode, depth: int, seen: dict[cst.CSTNode, int]) -> bool:
    """Whether a value is moved to the host by the expression it stands in, or under the name that it gets.

    `seen` are the values that were followed in vain, and how far: long functions that bind one name again and
    again, `x = x + att(x)`, lead to each of its reads from each of the others.
    """
    if seen.get(node, 0) >= depth:
        return False
    seen[node] = depth
    while depth:
        parent = model.parent(node)
        if isinstance(parent, cst.Attribute) and parent.attr.value == "data":
            node = parent
        elif isinstance(parent, cst.Attribute) and parent.value is node:
            call = model.parent(parent)
            if not isinstance(call, cst.Call) or call.func is not parent:
                return False
            if _moves(parent.attr.value, call):
                return True
            if parent.attr.value in _REDUCING:
                return False
            node = call
        elif isinstance(parent, cst.Arg):
            above = model.parent(parent)
            if isinstance(above, cst.Call) and isinstance(above.func, cst.Attribute) and _adds(above.func):
                reads = _reads(model, above.func.value, above)
                return any(_reaches_host(model, n, depth - 1, seen) for n in reads)
            if not isinstance(above, cst.Call) or not _hands_on(model, above):
                return False
            node = above
        elif isinstance(parent, (*_THROUGH, cst.Subscript)):
            node = parent
        else:
            return any(_reaches_host(model, read, depth - 1, seen) for read in _next(model, node, parent))
    return False


def _adds(method: cst.Attribute) -> bool:
    """Whether a method puts what it gets into another list under a plain name: `preds.append(out)`."""
    return method.attr.value in ("append", "extend") and type(method.value) is cst.Name


def _moves(method: str, call: cst.Call) -> bool:
    """Whether a method copies to the host: `.cpu()`, `.to("cpu")`."""
    device = argument(call, 0, "device") if method == "to" else None
    return method == "cpu" or (device is not None and is_text(device, "cpu"))


def _hands_on(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call gives all of what it gets: a function of torch that does not reduce, `zip`, `list`."""
    path = model.path_of(call.func)
    if path.startswith(("torch.", "torchvision.", "einops.")):
        return path.rpartition(".")[2] not in _REDUCING
    return last_name(call.func) in ("list", "tuple", "zip", "enumerate", "dict", "sorted")


def _next(model: ScriptModel, node: cst.CSTNode, parent: cst.CSTNode | None) -> Iterator[cst.CSTNode]:
    """The reads of the names that a value gets, and the calls of the function that returns it."""
    if isinstance(parent, (cst.Assign, cst.AnnAssign, cst.NamedExpr)):
        targets = [t.target for t in parent.targets] if isinstance(parent, cst.Assign) else [parent.target]
        for target in targets:
            yield from _reads(model, target, node)
    elif isinstance(parent, cst.For) and parent.iter is node:
        yield from _reads_in(model, parent.body, model.names_in(parent.target))
    elif isinstance(parent, cst.CompFor) and parent.iter is node:
        whole = next((a for a in model.ancestors(parent) if isinstance(a, _COMPREHENSIONS)), None)
        if whole is not None:
            yield from _reads_in(model, whole, model.names_in(parent.target))
    elif isinstance(parent, (*_COMPREHENSIONS, cst.CompFor)):
        yield parent
    elif isinstance(parent, cst.Return):
        function = model.function_of(parent)
        yield from call_graph(model).sites(function, perhaps=True) if function is not None else ()


def _reads_in(model: ScriptModel, part: cst.CSTNode, names: set[str]) -> Iterator[cst.CSTNode]:
    """The reads of loop variables in the loop's body."""
    yield from (n for n in model.walk(part) if type(n) is cst.Name and n.value in names)


def _reads(model: ScriptModel, target: cst.BaseExpression, value: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The reads, further down in the function, of what a value is assigned to."""
    targets = [e.value for e in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    names = {place(without_entry(t)) for t in targets} - {""}
    scope, rank = model.function_of(value) or model.root_of(value), model.positions
    for node in (node for name in sorted(names) for node in _named(model, scope).get(name, ())):
        if rank[node] > rank[value] and not model.is_target(node):
            yield node


@cached
def _named(model: ScriptModel, scope: cst.CSTNode) -> dict[str, list[cst.CSTNode]]:
    """The names and attributes in a part of the file, by their place."""
    found: dict[str, list[cst.CSTNode]] = {}
    for node in model.walk(scope):
        if type(node) in (cst.Name, cst.Attribute):
            found.setdefault(place(node), []).append(node)
    return found
