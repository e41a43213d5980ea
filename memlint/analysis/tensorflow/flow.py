"""Where values come from: through variables, attributes of `self`, parameters and functions of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import Definition, FunctionOrClass
from memlint.analysis.dataflow.program_points import LoopNode, loops_around
from memlint.analysis.dataflow.reaching_definitions import (
    attribute_definitions,
    methods,
    reaching_definitions,
)
from memlint.analysis.dataflow.value_sources import choices_of
from memlint.analysis.knowledge.libraries import BUILTINS
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.cross_module import cross_module_calls, cross_module_definitions
from memlint.project.gate import TENSORFLOW
from memlint.syntax.arguments import argument_for
from memlint.syntax.tree import dotted, last_name

_PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow._api.v2.v2.", "tensorflow."),
    ("tensorflow_core.", "tensorflow."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("keras.api._v2.keras.", "keras."),
    ("keras.api.", "keras."),
    ("tf_keras.", "keras."),
    ("tensorflow.", "tf."),
)
_DEPTH = 12
_MANY = 16

Loops = tuple[LoopNode, ...]
"""Nested loops, outermost first."""

@cached
def flow_of(model: ScriptModel) -> Flow:
    """The one Flow of a file."""
    return Flow(model)


def concerns(model: ScriptModel) -> bool:
    """Whether a file, or a module of the project that it imports, imports TensorFlow or Keras."""
    return model.imports(*TENSORFLOW) or not model.words_around.isdisjoint(TENSORFLOW)


def canonical(path: str) -> str:
    """One spelling for the many homes of a name: `tf.x` for TensorFlow, `keras.x` for Keras."""
    for old, new in _PREFIXES:
        if f"{path}." == old:
            return new[:-1]
        if path.startswith(old):
            path = new + path[len(old) :]
    return "tf" if path == "tensorflow" else path


@dataclass(eq=False)
class Flow:
    """Questions about one file, answered on demand and remembered."""

    model: ScriptModel
    _apis: dict[cst.CSTNode, str] = field(default_factory=dict)
    _callees: dict[cst.CSTNode, tuple[FunctionOrClass, ...]] = field(default_factory=dict)
    _made: dict[cst.CSTNode, list[cst.ClassDef]] = field(default_factory=dict)
    _sites: dict[str, list[cst.Call]] = field(default_factory=dict)

    _cross_module: dict[str, list[cst.Call]] | None = None

    def __post_init__(self) -> None:
        for call in self.model.names.calls:
            self._sites.setdefault(last_name(call.func), []).append(call)

    def named(self, name: str) -> list[cst.Call]:
        """The calls of a function or method that is written with this last name."""
        return self._sites.get(name, [])

    # --- names -------------------------------------------------------------------------------------

    def api(self, node: cst.CSTNode) -> str:
        """The canonical dotted name that an expression stands for; "" where it is none, or not certain."""
        found = self._apis.get(node)
        if found is None:
            self._apis[node] = ""
            found = self._apis[node] = self._api(node)
        return found

    def _api(self, node: cst.CSTNode) -> str:
        path = dotted(node)
        if not path:
            return ""
        names = self.model.names_of(node)
        paths = {canonical(p) for p in names.qualified(node)}
        if len(paths) == 1:
            name = path.partition(".")[0]
            scope = names.scope_of(_leftmost(node)).owner(name)
            return "" if scope is not None and name in scope.others else paths.pop()
        if paths:
            return ""
        head = _leftmost(node)
        if not isinstance(head, cst.Name):
            return ""
        if names.scope_of(head).owner(head.value) is None:
            return self._starred(path)
        defs = self.definitions(head)
        if len(defs) != 1 or defs[0].kind != "value" or not dotted(defs[0].node):
            return ""
        base = self.api(defs[0].node)
        return base + path[len(dotted(head)) :] if base else ""

    def _starred(self, path: str) -> str:
        """The name that `from keras.layers import *` gives, where nothing else can have given it."""
        stars = self.model.names.module_scope.stars
        if not stars or path.partition(".")[0] in BUILTINS:
            return ""
        homes = sorted(canonical(star) for star in stars)
        return f"{homes[0]}.{path}" if all(h.startswith(("keras", "tf")) for h in homes) else ""

    def calls(self, *names: str) -> Iterator[cst.Call]:
        """The calls, in source order, of APIs with these last names."""
        for name in names:
            for call in self._sites.get(name, ()):
                yield call
        known = set(names)
        for call in self.model.names.calls:
            written = dotted(call.func).rpartition(".")[2]
            if written and written not in known and self.api(call.func).rpartition(".")[2] in known:
                yield call

    def calls_of(self, *apis: str) -> list[cst.Call]:
        """The calls of these canonical names, in source order."""
        last = {a.rpartition(".")[2] for a in apis}
        found = [c for c in self.calls(*last) if self.api(c.func) in apis]
        return sorted(found, key=lambda c: self.model.positions[c])

    # --- definitions -------------------------------------------------------------------------------

    def definitions(self, node: cst.CSTNode) -> list[Definition]:
        """The definitions that may have given a name or attribute chain the value that it has at `node`."""
        return reaching_definitions(self.model, node)

    def _stored(self, node: cst.CSTNode) -> list[Definition]:
        """The definitions of `data.train` that the methods of the class of `data` leave behind."""
        if not isinstance(node, cst.Attribute):
            return []
        name = node.attr.value
        return [d for c in self.classes(node.value) for d in attribute_definitions(self.model, c, name)]

    # --- functions ---------------------------------------------------------------------------------

    def methods(self, owner: cst.ClassDef) -> dict[str, cst.FunctionDef]:
        """The methods of a class, those of its bases in this file included."""
        return methods(self.model, owner)

    def callees(self, call: cst.Call) -> tuple[FunctionOrClass, ...]:
        """The functions and classes of this file, or of others of the project, that a call may mean."""
        found = self._callees.get(call)
        if found is None:
            self._callees[call] = ()
            found = tuple(self._resolve(call)) or cross_module_definitions(self.model, call.func)
            self._callees[call] = found
        return found

    def _resolve(self, call: cst.Call) -> Iterator[FunctionOrClass]:
        func = call.func
        if isinstance(func, cst.Name):
            for d in self.definitions(func):
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
            above = (d.node for b in bases for d in self.definitions(b.value))
            return [c for c in above if isinstance(c, cst.ClassDef)]
        found = self._made.get(node)
        if found is None:
            self._made[node] = []  # `node = node.parent` asks for its own class
            made = (c for s in self.sources(node) if isinstance(s, cst.Call) for c in self.callees(s))
            found = self._made[node] = [c for c in made if isinstance(c, cst.ClassDef)]
        return found

    def sites(self, function: cst.FunctionDef) -> list[cst.Call]:
        """The calls of a function or method in this file, and in what it calls of other files."""
        owner = self.model.class_of(function)
        made = owner if function.name.value == "__init__" and owner is not None else function
        calls = self._sites.get(made.name.value, [])
        if not self.model.owns(made):
            calls = calls + self.named_abroad(made.name.value)
        return [c for c in calls if made in self.callees(c)]

    def named_abroad(self, name: str) -> list[cst.Call]:
        """The calls with this last name that functions of other files make, when this file calls those."""
        if self._cross_module is None:
            self._cross_module = {}
            for call in cross_module_calls(self.model, self.callees, self.methods):
                self._cross_module.setdefault(last_name(call.func), []).append(call)
        return self._cross_module.get(name, [])

    # --- values ------------------------------------------------------------------------------------

    def sources(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The expressions that a value comes from: names, attributes, choices and calls of the file followed.

        What cannot be followed stands for itself: a parameter that no call in the file gives, a loop
        variable, a subscript.
        """
        found: dict[cst.CSTNode, None] = {}
        self._trace(node, found, set(), 0)
        return list(found)

    def _trace(
        self, node: cst.CSTNode, found: dict[cst.CSTNode, None], seen: set[cst.CSTNode], depth: int
    ) -> None:
        if node in seen or len(found) >= _MANY:
            return
        seen.add(node)
        steps = list(self._step(node)) if depth < _DEPTH else []
        if not steps:
            found[node] = None
        for step in steps:
            if step is node:
                found[node] = None
            self._trace(step, found, seen, depth + 1)

    def _step(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        if choices := choices_of(node):
            yield from choices
        elif isinstance(node, cst.Call):
            for callee in self.callees(node):
                if isinstance(callee, cst.FunctionDef):
                    yield from self.returned(callee)
        elif dotted(node) and not self.api(node):
            yield from self._read(node)

    def _read(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        for d in self.definitions(node) or self._stored(node):
            if d.kind in ("value", "entered"):
                yield d.node
            elif d.kind == "param" and (function := self.function_of_parameter(d)) is not None:
                yield from self.arguments(function, dotted(node))
            elif d.kind == "item":
                yield from self._members(d)
            else:
                yield d.node if d.kind in ("function", "class") else node

    def _members(self, d: Definition) -> Iterator[cst.CSTNode]:
        """The values of one name of `a, b = build()`, where the function ends in `return x, y`."""
        for source in self.sources(d.node):
            if isinstance(source, (cst.Tuple, cst.List)) and d.index < len(source.elements):
                yield source.elements[d.index].value

    def returned(self, function: cst.FunctionDef) -> list[cst.BaseExpression]:
        """The expressions that a function gives back."""
        return [
            n.value
            for n in self.model.walk(function.body)
            if type(n) is cst.Return and n.value is not None and self.model.function_of(n) is function
        ]

    def function_of_parameter(self, parameter: Definition) -> cst.FunctionDef | None:
        """The function that a parameter belongs to; None for those of a lambda."""
        listed = self.model.parent(parameter.node)
        function = self.model.parent(listed) if listed is not None else None
        return function if isinstance(function, cst.FunctionDef) else None

    def arguments(self, function: cst.FunctionDef, name: str) -> list[cst.BaseExpression]:
        """What the calls of a function pass for a parameter, its default included."""
        found = [a for call in self.sites(function) if (a := argument_for(call, function, name)) is not None]
        listed = (*function.params.params, *function.params.kwonly_params)
        return found + [p.default for p in listed if p.name.value == name and p.default is not None]

    # --- loops -------------------------------------------------------------------------------------

    def loops(self, node: cst.CSTNode) -> tuple[LoopNode, ...]:
        """The loops of its own function in whose iterations a node runs, outermost first."""
        return tuple(loops_around(self.model, node))

    def runs(self, node: cst.CSTNode, depth: int = 4) -> list[Loops]:
        """The loops around a node for each way on which the file's own calls lead to it."""
        return self._runs(node, depth, frozenset())

    def _runs(self, node: cst.CSTNode, depth: int, seen: frozenset[cst.CSTNode]) -> list[Loops]:
        own = self.loops(node)
        function = self.model.function_of(node)
        if function is None or depth == 0 or function in seen:
            return [own]
        outer = [r for site in self.sites(function) for r in self._runs(site, depth - 1, seen | {function})]
        return [(*around, *own) for around in outer[:_MANY]] or [own]


def _leftmost(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
