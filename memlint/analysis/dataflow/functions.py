"""Functions and their calls: which definition a call means, which calls run a function, what they pass.

`definitions_meant` goes by the definitions that reach a name, in other modules of the project as well.
`CallGraph` adds the class of the object in front of a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from weakref import ref

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import imported_definitions
from memlint.analysis.dataflow.definitions import (
    Definition,
    FunctionOrClass,
    definition_index,
    definitions_by,
    definitions_of_variable,
)
from memlint.analysis.dataflow.reaching_definitions import (
    attribute_definitions,
    methods,
    reaching_definitions,
)
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import argument_for
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import dotted, last_name

_ASSIGNS = frozenset({cst.Assign, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.WithItem})
_MOST = 60
"""Functions of other modules in which calls are looked for, at most."""


def definition(model: ScriptModel, node: cst.CSTNode) -> FunctionOrClass | None:
    """The function or class that a name, `self.method` or `Class.method` means; the last of several."""
    return next(iter(definitions_meant(model, node)), None)


def definitions_meant(model: ScriptModel, node: cst.CSTNode) -> tuple[FunctionOrClass, ...]:
    """The functions and classes that a name, `self.method` or `Class.method` may mean, the last one first.

    By the definitions that reach the place; else those that another module of the project has.
    """
    if isinstance(node, cst.Name):
        found = definitions_of_variable(model, node)
        # Where there is only one, nothing has to be found out.
        reaching = reaching_definitions(model, node) if len(found) > 1 else found
        known = tuple(d.node for d in reaching if isinstance(d.node, (cst.FunctionDef, cst.ClassDef)))
    elif isinstance(node, cst.Attribute):
        known = tuple(_members(model, _classes_named(model, node.value), node.attr.value))
    else:
        return ()
    return known or imported_definitions(model, node)


def _classes_named(model: ScriptModel, node: cst.BaseExpression) -> list[cst.ClassDef]:
    """The class around `self` and `cls`, or the classes that a name means."""
    if not isinstance(node, cst.Name):
        return []
    if node.value in ("self", "cls"):
        owner = model.class_of(node)
        return [owner] if owner is not None else []
    return [found for found in definitions_meant(model, node) if isinstance(found, cst.ClassDef)]


def _members(model: ScriptModel, classes: Iterable[cst.ClassDef], name: str) -> Iterator[cst.FunctionDef]:
    """The methods of this name that classes have, themselves or from a base."""
    return (found for owner in classes if (found := method(model, owner, name)) is not None)


def method(model: ScriptModel, klass: cst.ClassDef, name: str, depth: int = 4) -> cst.FunctionDef | None:
    """A method of a class, or of a base of it, which another module may define."""
    found = methods(model, klass).get(name)
    # A base such as `self.Module` or `Other.Inner` is a member of a class itself, perhaps of this one.
    asked, question = _asked(model), (klass, name)
    if question in asked:
        return found
    asked.add(question)
    for base in klass.bases if found is None and depth else ():
        above = definition(model, base.value)
        if isinstance(above, cst.ClassDef) and (found := method(model, above, name, depth - 1)):
            break
    asked.discard(question)
    return found


@cached
def _asked(model: ScriptModel) -> set[tuple[cst.ClassDef, str]]:
    """The classes and names for which `method` is looking now."""
    return set()


def returned(model: ScriptModel, function: cst.FunctionDef) -> list[cst.BaseExpression]:
    """The expressions that a function gives back, without those of the functions inside of it."""
    found = (n for n in model.walk(function.body) if type(n) is cst.Return)
    return [n.value for n in found if n.value is not None and model.function_of(n) is function]


def with_called_methods(model: ScriptModel, functions: Iterable[cst.FunctionDef]) -> list[cst.FunctionDef]:
    """Methods, and those that they call on `self`, directly or not."""
    found = list(functions)
    for function in found:
        for call in (n for n in model.walk(function.body) if type(n) is cst.Call):
            own = isinstance(call.func, cst.Attribute) and dotted(call.func.value) == "self"
            called = definition(model, call.func) if own else None
            if isinstance(called, cst.FunctionDef) and called not in found:
                found.append(called)
    return found


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

    The graph is one of the model's answers: it does not keep the model alive, which would be a cycle.
    """

    _model: ref[ScriptModel]
    _follow: Callable[[ScriptModel, cst.CSTNode], list[cst.CSTNode]]
    _callees: dict[cst.CSTNode, tuple[FunctionOrClass, ...]] = field(default_factory=dict)
    _made: dict[cst.CSTNode, list[cst.ClassDef]] = field(default_factory=dict)
    _named: dict[str, list[cst.Call]] = field(default_factory=dict)
    _elsewhere: dict[str, list[cst.Call]] | None = None

    def __post_init__(self) -> None:
        for call in self.model.names.calls:
            self._named.setdefault(last_name(call.func), []).append(call)

    @property
    def model(self) -> ScriptModel:
        """The file."""
        model = self._model()
        assert model is not None
        return model

    def follow(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The expressions that a value comes from; see `value_sources.expressions_behind`."""
        return self._follow(self.model, node)

    def named(self, name: str) -> list[cst.Call]:
        """The calls of a function or method that is written with this last name."""
        return self._named.get(name, [])

    def calls_itself(self, function: cst.CSTNode) -> bool:
        """Whether a function calls itself: `walk(part)` in `walk`, `self.walk(part)` in a method."""
        if not isinstance(function, cst.FunctionDef):
            return False
        inside = (c for c in self.named(function.name.value) if self.model.function_of(c) is function)
        return any(dotted(c.func) in (function.name.value, f"self.{function.name.value}") for c in inside)

    def methods(self, owner: cst.ClassDef) -> dict[str, cst.FunctionDef]:
        """The methods of a class, those of its bases in this file included."""
        return methods(self.model, owner)

    def callees(self, call: cst.Call) -> tuple[FunctionOrClass, ...]:
        """The functions and classes of this file, or of others of the project, that a call may mean."""
        found = self._callees.get(call)
        if found is None:
            self._callees[call] = ()
            found = self._callees[call] = self.meant(call.func)
        return found

    def perhaps_run(self, call: cst.Call) -> tuple[FunctionOrClass, ...]:
        """What a call may run; on an unknown object, each method of this name in the file."""
        found, func = self.callees(call), call.func
        if found or not isinstance(func, cst.Attribute) or self.model.path_of(func):
            return found
        named = (f for f in self.model.names.every(cst.FunctionDef) if f.name.value == func.attr.value)
        return tuple(f for f in named if self.model.class_of(f) is not None)

    def meant(self, func: cst.BaseExpression) -> tuple[FunctionOrClass, ...]:
        """What a call of an expression may run: by the class of the object in front of a method as well."""
        owned = self.classes(func.value) if isinstance(func, cst.Attribute) else []
        found = tuple(_members(self.model, owned, func.attr.value)) if isinstance(func, cst.Attribute) else ()
        return found or definitions_meant(self.model, func)

    def classes(self, node: cst.BaseExpression) -> list[cst.ClassDef]:
        """The classes of this file that the value of an expression is an instance of."""
        if isinstance(node, cst.Name) and node.value in ("self", "cls"):
            return _classes_named(self.model, node)
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

    def sites(self, function: cst.FunctionDef, *, perhaps: bool = False) -> list[cst.Call]:
        """The calls of a function or method in this file, and in what it calls of other files.

        With `perhaps`, those of a method of this name on any object, whose class is then not asked for, in
        the file and in what its run came to.
        """
        owner = self.model.class_of(function)
        made = owner if function.name.value == "__init__" and owner is not None else function
        name = made.name.value
        if perhaps:
            of_any = made is function and owner is not None
            written = definition_index(self.model).calls.get(name, [])
            return [c for c in written if self._may_run(c, made, of_any=of_any)]
        elsewhere = [] if self.model.owns(made) else self.named_in_other_modules(name)
        return [c for c in (*self.named(name), *elsewhere) if made in self.callees(c)]

    def _may_run(self, call: cst.Call, made: FunctionOrClass, *, of_any: bool) -> bool:
        meant = definitions_meant(self.model, call.func)
        of_object = isinstance(call.func, cst.Attribute) and not self.model.path_of(call.func)
        return made in meant or (of_any and not meant and of_object)

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


_ROUTES = frozenset({"route", "get", "post", "put", "api_route", "websocket"})


def routes_of(function: cst.FunctionDef) -> Iterator[cst.Call]:
    """The decorators with which a web framework calls a function for each request: Flask, FastAPI, Sanic."""
    calls = (d.decorator for d in function.decorators if isinstance(d.decorator, cst.Call))
    for call in calls:
        path = literal(call.args[0].value) if call.args and last_name(call.func) in _ROUTES else None
        if isinstance(path, str) and path.startswith("/"):
            yield call
