"""Is a container emptied, bounded, or local? One place for every list, dict and buffer that a script fills.

All questions rest on `removals`: what a piece of code takes out of containers, deletes or binds again. They
differ in where they look and in what counts:

* `emptied_in`: a loop or a function, by the very place
* `emptied_anywhere`: every file in view, by any name that ends alike, for what lives in an object
* `emptied_between_runs`: the methods of a class that a trainer calls again and again
* `let_go`: a variable is deleted or set to None
* `has_maximum`, `size_is_checked`, `filled_to_a_limit`: the container cannot grow for ever
* `started_empty`, `stays_local`, `made_inside`: where it begins, and whether others can reach it
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definition, with_called_methods
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.interpret.functions import is_left_open
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.beginnings import only_begins
from memlint.records import dataclass
from memlint.syntax.expressions import given_to, item_key, place, reads_place, shown_place
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, methods, root_name

_ENTRY = pattern(r"(\[[^]]*\]|\.(setdefault|get)\(.*\))+$")
_LOOPS = (cst.For, cst.While)
_TAKING = frozenset({"pop", "popleft", "popitem"})
_HEAP_TAKING = frozenset({"heapq.heappop", "heapq.heapreplace", "heapq.heappushpop"})


@dataclass(frozen=True, slots=True)
class Removal:
    """Something that leaves a container.

    how: "cleared" (`box.clear()`, `del box[:]`, `box[:] = []`), "taken" (`box.pop()`, `del box[k]`),
    "deleted" (`del box`) or "bound" (`box = ...`). `node` is the call or statement, `container` the
    expression that stands for the container in it, `value` what is bound.
    """

    node: cst.CSTNode
    how: Literal["cleared", "taken", "deleted", "bound"]
    container: cst.BaseExpression
    value: cst.BaseExpression | None = None


@cached
def removals(model: ScriptModel, where: cst.CSTNode) -> list[Removal]:
    """Everything in a piece of code that takes something out of any container, in source order."""
    found: list[Removal] = []
    for node in model.walk(where):
        kind = type(node)
        if kind is cst.Call:
            found += _by_call(model, node)  # type: ignore[arg-type]
        elif kind is cst.AssignTarget or kind is cst.AnnAssign:
            found += _by_binding(model, node)  # type: ignore[arg-type]
        elif kind is cst.Del:
            found += _by_del(node)  # type: ignore[arg-type]
    return found


@cached
def removals_by_place(model: ScriptModel, where: cst.CSTNode) -> dict[str, list[Removal]]:
    """The same, by the place of the container (see `place`)."""
    found: dict[str, list[Removal]] = {}
    for removal in removals(model, where):
        found.setdefault(place(removal.container), []).append(removal)
    return found


def _by_call(model: ScriptModel, call: cst.Call) -> Iterator[Removal]:
    func = call.func
    if type(func) is cst.Attribute and func.attr.value == "clear":
        yield Removal(call, "cleared", func.value)
    elif type(func) is cst.Attribute and func.attr.value in _TAKING:
        yield Removal(call, "taken", func.value)
    elif call.args and model.path_of(func) in _HEAP_TAKING:
        yield Removal(call, "taken", call.args[0].value)


def _by_binding(model: ScriptModel, node: cst.AssignTarget | cst.AnnAssign) -> Iterator[Removal]:
    whole = model.parent(node) if isinstance(node, cst.AssignTarget) else node
    value = whole.value if isinstance(whole, (cst.Assign, cst.AnnAssign)) else None
    if isinstance(node, cst.AnnAssign) and value is None:
        return
    for part, given in given_to(node.target, value) if value is not None else [(node.target, None)]:
        several = isinstance(part, (cst.Tuple, cst.List))
        for target in _members(part):
            if isinstance(target, cst.Subscript) and _is_whole(target) and is_empty(given):
                yield Removal(node, "cleared", target.value)
            else:
                yield Removal(node, "bound", target, None if several else given)


def _by_del(node: cst.Del) -> Iterator[Removal]:
    for target in _members(node.target):
        if isinstance(target, cst.Subscript):
            yield Removal(node, "cleared" if _is_whole(target) else "taken", target.value)
        else:
            yield Removal(node, "deleted", target)


def _members(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What `a, b = ...` or `del a, b` is about, one by one."""
    return [e.value for e in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]


def _is_whole(target: cst.Subscript) -> bool:
    """Whether a subscript is `[:]`."""
    part = target.slice[0].slice if len(target.slice) == 1 else None
    return isinstance(part, cst.Slice) and part.lower is part.upper is part.step is None


def is_empty(value: cst.BaseExpression | None) -> bool:
    if isinstance(value, (cst.List, cst.Tuple, cst.Dict)):
        return not value.elements
    return isinstance(value, cst.Call) and not value.args and dotted(value.func) in ("list", "dict", "tuple")


def without_entry(node: cst.BaseExpression) -> cst.BaseExpression:
    """The container that an entry is in: `box` for `box[k]`, `box.get(k)` and `box.setdefault(k, [])`."""
    while True:
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value not in ("get", "setdefault"):
                return node
            node = node.func.value
        else:
            return node


@lru_cache(maxsize=256)
def shown_container(shown: str) -> cst.BaseExpression | None:
    """The container of a shown target (`Store.target`), without entries; None for what `yield` fills."""
    try:
        return without_entry(cst.parse_expression(shown))
    except cst.ParserSyntaxError:
        return None


def last_name(node: cst.BaseExpression) -> str:
    """The name at the end of what stands for a container: `outputs` for `self.outputs[key]`."""
    node = without_entry(node)
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def emptied_in(model: ScriptModel, box: str, where: cst.CSTNode, *, bindings: bool = True) -> bool:
    """Whether code takes something out of a container, shown as `box`, or binds its name to another one.

    With `bindings=False` a new value of the name does not count. `acc = torch.cat([acc, v])` never does, and
    `box = box[-n:]`, which keeps the last ones, always.
    """
    return _emptied_in(model, shown_place(box), where, bindings)


@cached
def _emptied_in(model: ScriptModel, wanted: str, where: cst.CSTNode, bindings: bool) -> bool:
    return any(
        place(r.container) == wanted
        and (r.how != "bound" or (bindings and not _takes_over(r, wanted)))
        and not (r.how == "bound" and only_begins(model, r.node, wanted, where))
        for r in removals(model, where)
    )


def emptied_by_methods(model: ScriptModel, box: str, store: cst.CSTNode, loop: cst.CSTNode) -> bool:
    """Whether a method of the object that the loop, or the storing method, calls empties the container."""
    function = model.function_of(store)
    if not shown_place(box).startswith("self.") or function is None:
        return False
    around = loop if any(above is loop for above in model.ancestors(store)) else function.body
    calls = (c.func for c in model.every(cst.Call, around) if dotted(c.func).startswith("self."))
    called = [m for func in calls if isinstance(m := definition(model, func), cst.FunctionDef)]
    return any(emptied_in(model, box, m.body) for m in with_called_methods(model, called))


def _takes_over(removal: Removal, box: str) -> bool:
    """Whether what a name is bound to has its old value in it."""
    value = removal.value
    return value is not None and reads_place(value, (box,)) and not _keeps_the_last(value, box)


def _keeps_the_last(value: cst.BaseExpression, box: str) -> bool:
    """Whether an expression is `box[-n:]`, of a number of entries that does not grow with the container."""
    part = value.slice[0].slice if isinstance(value, cst.Subscript) and len(value.slice) == 1 else None
    lower = part.lower if isinstance(part, cst.Slice) and part.upper is None else None
    cut = isinstance(lower, cst.UnaryOperation) and isinstance(lower.operator, cst.Minus)
    return cut and isinstance(value, cst.Subscript) and place(value.value) == box


def emptied_anywhere(model: ScriptModel, box: str, *, taking: bool) -> bool:
    """Whether code in view empties a container, under any name that ends like its own, or makes it again.

    Containers in it count as it does, and so do the variables of loops over it. With `taking`, code that
    takes single entries out counts; without, it does not: that is how a buffer keeps to its capacity.
    """
    files, alike = model.all_names(), _Alike.of(shown_place(box))
    walked = _loop_variables(model, files, alike)
    made: list[Removal] = []
    for removal in (r for f in files for r in removals(model, f.module)):
        container = removal.container
        if removal.how == "bound":
            made += [removal] if alike.has(container) else []
            if alike.entry and _empties_entry(model, removal) and alike.has(without_entry(container)):
                return True
        elif removal.how == "taken" and not taking and not _deletes_by_key(removal):
            continue
        elif alike.has(container) or alike.has(without_entry(container)) or place(container) in walked:
            return True
    return len(made) > 1 or any(isinstance(a, _LOOPS) for r in made for a in model.ancestors(r.node))


@dataclass(frozen=True, slots=True)
class _Alike:
    """The expressions that may stand for a container: its places, and attributes of its last name."""

    places: frozenset[str]
    last: frozenset[str]
    entry: bool

    @staticmethod
    def of(box: str) -> _Alike:
        whole = _ENTRY.sub("", box)
        places = frozenset({box, whole})
        return _Alike(places, frozenset(name.rpartition(".")[2] for name in places), whole != box)

    def has(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Attribute) and node.attr.value in self.last:
            return True
        return place(node) in self.places


def _empties_entry(model: ScriptModel, removal: Removal) -> bool:
    """Whether `box[key] = []` makes an entry empty again, not only once for all when an object is made."""
    function = model.function_of(removal.node)
    if not isinstance(removal.container, cst.Subscript) or not is_empty(removal.value):
        return False
    if not isinstance(function, cst.FunctionDef) or function.name.value == "__init__":
        return False
    calls = [model.function_of(call) for call in call_graph(model).sites(function, perhaps=True)]
    makers = [f for f in calls if isinstance(f, cst.FunctionDef) and naming.runs_once(f.name.value)]
    return len(makers) < len(calls) if calls else not naming.runs_once(function.name.value)


def _deletes_by_key(removal: Removal) -> bool:
    """Whether `del box[key]` takes out another entry than the oldest of a list, `del box[0]`."""
    deleted = _members(removal.node.target) if isinstance(removal.node, cst.Del) else []
    return bool(deleted) and not any(isinstance(t, cst.Subscript) and item_key(t) == 0 for t in deleted)


def _loop_variables(model: ScriptModel, files: list[Names], boxes: _Alike) -> set[str]:
    """The names under which loops go through the members of these containers."""
    loops: list[cst.For | cst.CompFor] = []
    for names in files:
        loops += [*names.every(cst.For), *names.every(cst.CompFor)]
    walking = [loop.target for loop in loops if boxes.has(_walked(loop.iter))]
    return {n.value for target in walking for n in model.walk(target) if type(n) is cst.Name}


def _walked(source: cst.BaseExpression) -> cst.BaseExpression:
    """The container behind `box.values()` and `box.items()`."""
    if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute) and not source.args:
        return source.func.value if source.func.attr.value in ("values", "items") else source
    return source


def emptied_between_runs(
    model: ScriptModel, owner: cst.ClassDef, name: str, above: list[cst.ClassDef]
) -> bool:
    """Whether code that a trainer runs more than once empties or replaces `self.name`, or might.

    `above` are the classes that the owner inherits from. Methods that run once (see
    `naming.runs_once`) only set the container up.
    """
    elsewhere = [base for base in above if not model.owns(base)]
    own = [m for c in (owner, *elsewhere) for m in methods(c) if not naming.runs_once(m.name.value)]
    others = [
        f
        for f in model.names.every(cst.FunctionDef)
        if not naming.runs_once(f.name.value) and model.class_of(f) is not owner
    ]
    top = [s for s in model.module.body if not isinstance(s, (cst.ClassDef, cst.FunctionDef))]
    if any(_empties_attribute(model, part, name) for part in (*own, *others, *top)):
        return True
    return any(
        _clears_members(model, m, name) or _changes_any_attribute(model, m) or _is_to_empty(m) for m in own
    )


def _is_to_empty(method: cst.FunctionDef) -> bool:
    """Whether subclasses write a method that is to empty something, `reset_metrics`."""
    return is_left_open(method) and bool(hints.EMPTIES.search(method.name.value))


def _empties_attribute(model: ScriptModel, where: cst.CSTNode, name: str) -> bool:
    containers = (without_entry(r.container) for r in removals(model, where))
    return any(isinstance(c, cst.Attribute) and c.attr.value == name for c in containers)


def _clears_members(model: ScriptModel, method: cst.FunctionDef, name: str) -> bool:
    """Whether a loop over an attribute clears something."""
    return any(
        any(type(n) is cst.Attribute and n.attr.value == name for n in model.walk(loop.iter))
        and any(r.how == "cleared" for r in removals(model, loop.body))
        for loop in model.every(cst.For, method)
    )


def _changes_any_attribute(model: ScriptModel, method: cst.FunctionDef) -> bool:
    """Whether a method changes attributes of `self` that it does not name."""
    for node in model.walk(method.body):
        if type(node) is cst.Call and dotted(node.func) in ("setattr", "delattr", "vars"):
            if node.args and root_name(node.args[0].value) == "self":
                return True
        elif type(node) is cst.Attribute and node.attr.value == "__dict__" and dotted(node.value) == "self":
            return True
    cleared = (r.container for r in removals(model, method.body) if r.how == "cleared")
    return any(isinstance(c, cst.Call) and dotted(c.func) == "getattr" for c in cleared)


def let_go(model: ScriptModel, name: str, where: cst.CSTNode, *, since: cst.CSTNode | None = None) -> bool:
    """Whether code deletes a variable or attribute, shown as `name`, or sets it to None.

    What stands before `since` in the same function, such as a `self.x = None` of the constructor that goes on
    to make `x`, lets nothing go.
    """
    wanted = shown_place(name)
    return any(
        place(r.container) == wanted
        and (r.how == "deleted" or (r.how == "bound" and r.value is not None and dotted(r.value) == "None"))
        and not (since is not None and _stands_before(model, r.node, since))
        for r in removals(model, where)
    )


def _stands_before(model: ScriptModel, node: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether a statement of the same function runs before another one only, outside of every loop."""
    looped = any(isinstance(above, (cst.For, cst.While)) for above in model.ancestors(other))
    same_scope = model.function_of(node) is model.function_of(other)
    return same_scope and not looped and model.positions[node] < model.positions[other]
