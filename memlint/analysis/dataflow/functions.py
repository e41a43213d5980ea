"""Functions and their calls: which definition a call means, which calls run a function, what they pass.

`definition` and `calls_of` go by names alone. `CallGraph` resolves a call by the definitions that reach it
and by the class of the object in front of a method, in other modules of the project as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.dataflow.cross_module import place_behind, unit_behind
from memlint.analysis.dataflow.definitions import (
    Definition,
    FunctionOrClass,
    definition_index,
    definitions_by,
)
from memlint.analysis.dataflow.reaching_definitions import (
    attribute_definitions,
    methods,
    reaching_definitions,
)
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument_for
from memlint.syntax.expressions import place
from memlint.syntax.tree import dotted, last_name

_ASSIGNS = frozenset({cst.Assign, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.WithItem})
_MOST = 60
"""Functions of other modules in which calls are looked for, at most."""


def definition(model: ScriptModel, node: cst.CSTNode) -> FunctionOrClass | None:
    """The function or class of the file that a name, or `self.method`, refers to."""
    index = definition_index(model)
    if isinstance(node, cst.Name):
        owner = model.names_of(node).scope_of(node).owner(node.value)
        found = index.functions.get((id(owner.node), node.value)) if owner is not None else None
        return found or _imported(model, node)
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        if node.value.value in ("self", "cls"):
            klass = model.class_of(node)
        else:
            named = definition(model, node.value)
            klass = named if isinstance(named, cst.ClassDef) else None
        return method(model, klass, node.attr.value) if klass is not None else _imported(model, node)
    return None


def _imported(model: ScriptModel, node: cst.Name | cst.Attribute) -> FunctionOrClass | None:
    """The definition in another module that a name or member means, once the run has met it."""
    place = place_behind(model, node) if model.cross_module is not None and model.cross_module.units else None
    body = model.cross_module.bodies.get((place.path, place.name), ()) if place and model.cross_module else ()
    return next((s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef))), None)


def method(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> cst.FunctionDef | None:
    """A method of a class, or of a base of it in the file."""
    found = definition_index(model).functions.get((id(klass), name))
    if isinstance(found, cst.FunctionDef):
        return found
    for base in klass.bases if depth else ():
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (inherited := method(model, above, name, depth - 1)):
            return inherited
    return None


def calls_of(model: ScriptModel, function: cst.FunctionDef) -> list[cst.Call]:
    """The calls in the file that run a function: by its name, or by its class for a constructor."""
    klass = _method_of(model, function)
    name = function.name.value
    found = []
    if klass is not None and name == "__init__":
        for call in definition_index(model).calls.get(klass.name.value, ()):
            target = definition(model, call.func)
            if isinstance(target, cst.ClassDef) and method(model, target, "__init__") is function:
                found.append(call)
        return found
    for call in definition_index(model).calls.get(name, ()):
        target = definition(model, call.func)
        if target is function or (target is None and klass is not None and type(call.func) is cst.Attribute):
            found.append(call)
    return found


def _method_of(model: ScriptModel, function: cst.FunctionDef) -> cst.ClassDef | None:
    block = model.parent(function)
    klass = model.parent(block) if block is not None else None
    return klass if isinstance(klass, cst.ClassDef) else None


def parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """The named parameters of a function."""
    params = function.params
    return [*params.posonly_params, *params.params, *params.kwonly_params]


def assigned_in(model: ScriptModel, block: cst.CSTNode) -> set[str]:
    """The places that a loop or block gives new values: `name`, `self.count`, `box["a"]`."""
    return {written for target in targets_in(model, block) if (written := place(target))}


def targets_in(model: ScriptModel, block: cst.CSTNode) -> list[cst.BaseExpression]:
    """What a loop or block assigns to, tuples taken apart."""
    statements = (node for node in model.walk(block) if type(node) in _ASSIGNS)
    return [target for node in statements for target, _ in definitions_by(node)]


@dataclass(eq=False)
class CallGraph:
    """The calls of a file and of the functions of other modules that it calls, resolved on demand.

    `follow` gives the expressions that a value comes from; see `value_sources.expressions_behind`.
    """

    model: ScriptModel
    follow: Callable[[cst.CSTNode], list[cst.CSTNode]]
    _callees: dict[cst.CSTNode, tuple[FunctionOrClass, ...]] = field(default_factory=dict)
    _made: dict[cst.CSTNode, list[cst.ClassDef]] = field(default_factory=dict)
    _named: dict[str, list[cst.Call]] = field(default_factory=dict)
    _elsewhere: dict[str, list[cst.Call]] | None = None

    def __post_init__(self) -> None:
        for call in self.model.names.calls:
            self._named.setdefault(last_name(call.func), []).append(call)

    def named(self, name: str) -> list[cst.Call]:
        """The calls of a function or method that is written with this last name."""
        return self._named.get(name, [])

    def methods(self, owner: cst.ClassDef) -> dict[str, cst.FunctionDef]:
        """The methods of a class, those of its bases in this file included."""
        return methods(self.model, owner)

    def callees(self, call: cst.Call) -> tuple[FunctionOrClass, ...]:
        """The functions and classes of this file, or of others of the project, that a call may mean."""
        found = self._callees.get(call)
        if found is None:
            self._callees[call] = ()
            found = tuple(self._resolve(call)) or imported_definitions(self.model, call.func)
            self._callees[call] = found
        return found

    def _resolve(self, call: cst.Call) -> Iterator[FunctionOrClass]:
        func = call.func
        if isinstance(func, cst.Name):
            for d in reaching_definitions(self.model, func):
                if isinstance(d.node, (cst.FunctionDef, cst.ClassDef)) and d.kind in ("function", "class"):
                    yield d.node
        elif isinstance(func, cst.Attribute):
            for owner in self.classes(func.value):
                method = self.methods(owner).get(func.attr.value)
                if method is not None:
                    yield method

    def classes(self, node: cst.BaseExpression) -> list[cst.ClassDef]:
        """The classes of this file that the value of an expression is an instance of."""
        if isinstance(node, cst.Name) and node.value in ("self", "cls"):
            owner = self.model.class_of(node)
            return [owner] if owner is not None else []
        if isinstance(node, cst.Call) and dotted(node.func) == "super":
            owner = self.model.class_of(node)
            bases = owner.bases if owner is not None else ()
            above = (d.node for b in bases for d in reaching_definitions(self.model, b.value))
            return [c for c in above if isinstance(c, cst.ClassDef)]
        found = self._made.get(node)
        if found is None:
            self._made[node] = []  # `node = node.parent` asks for its own class
            made = (c for s in self.follow(node) if isinstance(s, cst.Call) for c in self.callees(s))
            found = self._made[node] = [c for c in made if isinstance(c, cst.ClassDef)]
        return found

    def sites(self, function: cst.FunctionDef) -> list[cst.Call]:
        """The calls of a function or method in this file, and in what it calls of other files."""
        owner = self.model.class_of(function)
        made = owner if function.name.value == "__init__" and owner is not None else function
        calls = self.named(made.name.value)
        if not self.model.owns(made):
            calls = calls + self.named_in_other_modules(made.name.value)
        return [c for c in calls if made in self.callees(c)]

    def named_in_other_modules(self, name: str) -> list[cst.Call]:
        """The calls with this last name that functions of other files make, when this file calls those."""
        if self._elsewhere is None:
            self._elsewhere = {}
            for call in _calls_elsewhere(self.model, self.callees, self.methods):
                self._elsewhere.setdefault(last_name(call.func), []).append(call)
        return self._elsewhere.get(name, [])

    def stored(self, node: cst.CSTNode) -> list[Definition]:
        """The definitions of `data.train` that the methods of the class of `data` leave behind."""
        if not isinstance(node, cst.Attribute):
            return []
        name = node.attr.value
        return [d for c in self.classes(node.value) for d in attribute_definitions(self.model, c, name)]

    def returned(self, function: cst.FunctionDef) -> list[cst.BaseExpression]:
        """The expressions that a function gives back."""
        return [
            n.value
            for n in self.model.walk(function.body)
            if type(n) is cst.Return and n.value is not None and self.model.function_of(n) is function
        ]

    def passed(self, param: cst.Param) -> list[cst.BaseExpression]:
        """What the calls of its function pass for a parameter, its default included; none for a lambda's."""
        listed = self.model.parent(param)
        function = self.model.parent(listed) if listed is not None else None
        if not isinstance(function, cst.FunctionDef):
            return []
        name = param.name.value
        given = (argument_for(call, function, name) for call in self.sites(function))
        found = [value for value in given if value is not None]
        return [*found, param.default] if param.default is not None else found


def imported_definitions(model: ScriptModel, func: cst.CSTNode) -> tuple[FunctionOrClass, ...]:
    """The definition in another module that an expression means, as long as not too much has been read."""
    if not isinstance(func, (cst.Name, cst.Attribute)):
        return ()
    found = unit_behind(model, func)
    body = found.body if found is not None else ()
    return tuple(s for s in body if isinstance(s, (cst.FunctionDef, cst.ClassDef)))


def _calls_elsewhere(
    model: ScriptModel,
    callees: Callable[[cst.Call], tuple[FunctionOrClass, ...]],
    methods: Callable[[cst.ClassDef], dict[str, cst.FunctionDef]],
) -> Iterator[cst.Call]:
    """The calls that functions of other modules make, when the file's own calls lead to them."""
    pending = [found for call in model.names.calls for found in callees(call)]
    seen: set[cst.CSTNode] = set()
    while pending and len(seen) < _MOST:
        found = pending.pop()
        function = methods(found).get("__init__") if isinstance(found, cst.ClassDef) else found
        if function is None or function in seen or model.owns(function):
            continue
        seen.add(function)
        for call in (n for n in model.walk(function.body) if isinstance(n, cst.Call)):
            yield call
            pending += callees(call)
