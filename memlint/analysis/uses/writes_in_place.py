"""Whether the memory of a tensor is written in place by code that still has it under some name.

What a list keeps, and what is joined or copied later, has to be looked at with these eyes: an expression
that makes a new tensor is nobody else's, one that gives a view is written where its base is.

Two readings give one answer, the worse of both: the value is followed through the definitions and uses that
reach it, and the lines of its function are searched for writes to its name, in whatever order they run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant, returned
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.dataflow.value_sources import choices_of, value_sources
from memlint.analysis.knowledge.libraries import SHARING, SHARING_ATTRIBUTES
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import Use, uses_of, uses_of_parameter
from memlint.records import dataclass
from memlint.syntax.arguments import argument_for, keyword, listed_parameters, parameter_for, parameters
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import last_name

Answer = Literal["no", "maybe", "yes"]
_ORDER: tuple[Answer, ...] = ("no", "maybe", "yes")
_DEPTH = 10
_NAME_DEPTH = 3
_READS = frozenset(
    "print len str repr isinstance type float int bool list tuple enumerate reversed sorted zip range sum "
    "max min hasattr getattr id next iter".split()
)
_HANDS_ON = frozenset("list tuple enumerate reversed sorted zip next iter".split())
_KEEPS = frozenset("append extend insert add appendleft put update setdefault".split())
_READING_PACKAGES = ("numpy.", "math.", "sklearn.", "logging.", "json.", "matplotlib.", "scipy.")


def written_in_place(model: ScriptModel, node: cst.CSTNode, scope: cst.CSTNode | None = None) -> Answer:
    """Whether what an expression gives is written in place through any name it goes by.

    "maybe" where code takes it that is not seen, or where it comes from out of view. The function (or the
    module) that the expression stands in is searched for its name, and so is `scope` where one is given.
    """
    scopes = {model.function_of(node) or model.root_of(node), *([scope] if scope is not None else [])}
    if any(_is_written_by_name(model, {place(node)}, where, _NAME_DEPTH) for where in scopes):
        return "yes"
    return _Walk(model).storage(node, _DEPTH) if model.owns(node) else "maybe"


def argument_written_in_place(model: ScriptModel, param: cst.Param) -> Answer:
    """Whether a function writes in place to the tensor that it gets for a parameter."""
    return _worst(_Walk(model).used(use) for use in uses_of_parameter(model, param))


@dataclass(slots=True)
class _Walk:
    """One question; `seen` are the expressions whose uses were followed."""

    model: ScriptModel
    seen: set[cst.CSTNode] = field(default_factory=set)

    def storage(self, node: cst.CSTNode, depth: int) -> Answer:
        """The answer for the memory that an expression gives, with the names that it had before."""
        if depth == 0:
            return "maybe"
        base = self._base(node)
        if base is not None:
            return self.storage(base, depth - 1)
        if isinstance(node, (cst.IfExp, cst.BooleanOperation)):
            return _worst(self.storage(choice, depth - 1) for choice in choices_of(node))
        if isinstance(node, cst.Name):
            return self._name(node, depth)
        if isinstance(node, cst.Attribute):
            return "yes" if self._attribute_is_written(node) else "maybe"
        if isinstance(node, cst.Call):
            return _worst([self._used(node, depth), *self._given_back(node, depth)])
        if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)):
            return self._used(node, depth)
        return "no" if literal(node) is None else "maybe"

    def used(self, use: Use) -> Answer:
        """The answer for what one use does with a value, and all that follows from it."""
        return self._use(use, _DEPTH)

    def _given_back(self, call: cst.Call, depth: int) -> list[Answer]:
        """The answers for what a function of the project returns."""
        found = definitions_meant(self.model, call.func)
        functions = [f for f in found if isinstance(f, cst.FunctionDef) and self.model.owns(f)]
        return [self.storage(value, depth - 1) for f in functions for value in returned(self.model, f)]

    def _base(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """The tensor that an expression is a view of, or hands on as it is."""
        if isinstance(node, cst.Subscript):
            return node.value
        if isinstance(node, cst.Attribute):
            return node.value if node.attr.value in SHARING_ATTRIBUTES else None
        if not isinstance(node, cst.Call) or last_name(node.func) not in SHARING:
            return None
        if self.model.path_of(node.func).startswith("torch."):
            return node.args[0].value if node.args else None
        return node.func.value if isinstance(node.func, cst.Attribute) else None

    def _name(self, node: cst.Name, depth: int) -> Answer:
        sources = value_sources(self.model, node)
        answers: list[Answer] = []
        for source in sources:
            known = source.kind == "value" and source.node is not node
            answers.append(self.storage(source.node, depth - 1) if known else "maybe")
        return _worst([*answers, *(["maybe"] if not sources else [])])  # type: ignore[list-item]

    def _attribute_is_written(self, node: cst.Attribute) -> bool:
        """Whether anything in the file writes in place into what goes by the same attribute."""
        name = node.attr.value
        for other in self.model.names.every(cst.Attribute):
            if other.attr.value == name and place(other):
                above = self.model.parent(other)
                if isinstance(above, cst.AugAssign) and above.target is other:
                    return True
                if self._used(other, 2) == "yes":
                    return True
        return False

    def _used(self, node: cst.CSTNode, depth: int) -> Answer:
        """The answer for what is done with the value of an expression from there on."""
        if node in self.seen:
            return "no"
        self.seen.add(node)
        if depth == 0:
            return "maybe"
        return _worst(self._use(use, depth) for use in uses_of(self.model, node))

    def _use(self, use: Use, depth: int) -> Answer:
        match use.how:
            case "returned" | "dropped" | "tested" | "compared" | "called":
                return "no"
            case "added":
                return "yes" if use.name == "target" else "no"
            case "method":
                return self._method(use, depth)
            case "argument":
                assert isinstance(use.node, cst.Call)
                return self._argument(use.node, use.arg, depth)
            case "attribute":
                return self._used(use.node, depth - 1) if use.name in SHARING_ATTRIBUTES else "no"
            case "part":
                above = self.model.parent(use.node)
                if isinstance(above, cst.AssignTarget) or (
                    isinstance(above, (cst.AugAssign, cst.AnnAssign)) and above.target is use.node
                ):
                    return "yes"
                return self._used(use.node, depth - 1)
            case "computed":
                passes = isinstance(use.node, (cst.IfExp, cst.BooleanOperation, cst.Await))
                return self._used(use.node, depth - 1) if passes else "no"
            case "member":
                return self._used(use.node, depth - 1)
        return "maybe"

    def _method(self, use: Use, depth: int) -> Answer:
        if _changes(use.name):
            return "yes"
        return self._used(use.node, depth - 1) if use.name in SHARING else "no"

    def _argument(self, call: cst.Call, given: cst.Arg | None, depth: int) -> Answer:
        model, path, name = self.model, self.model.path_of(call.func), last_name(call.func)
        if given is not None and given.keyword is not None and given.keyword.value == "out":
            return "yes"
        if path.startswith("torch."):
            if is_in_place(call):
                return "yes"
            return self._used(call, depth - 1) if name in SHARING else "no"
        if path.startswith(_READING_PACKAGES):
            return "no"
        if isinstance(call.func, cst.Name) and name in _READS:
            return self._used(call, depth - 1) if name in _HANDS_ON else "no"
        if isinstance(call.func, cst.Attribute) and name in _KEEPS:
            return "no"
        functions = [f for f in definitions_meant(model, call.func) if isinstance(f, cst.FunctionDef)]
        params = [p for f in functions for p in _received(call, given, f)]
        if functions and len(params) == len(functions):
            uses = (use for param in params for use in uses_of_parameter(model, param))
            return _worst([*(self._use(use, depth - 1) for use in uses), self._used(call, depth - 1)])
        return self._module(call)

    def _module(self, call: cst.Call) -> Answer:
        """A layer of torch that works in place, or what else is called."""
        made = [source.node for source in value_sources(self.model, call.func)]
        calls = [node for node in made if isinstance(node, cst.Call)]
        layers = [call for call in calls if self.model.path_of(call.func).startswith("torch.nn.")]
        if not layers or len(layers) < len(made):
            return "maybe"
        given = (a for layer in layers for a in layer.args if a.keyword is not None)
        if any(a.keyword is not None and a.keyword.value == "inplace" for a in given):
            return "yes"
        return "maybe" if any(last_name(layer.func) == "Sequential" for layer in layers) else "no"


def _is_written_by_name(model: ScriptModel, given: set[str], scope: cst.CSTNode, depth: int) -> bool:
    """Whether a part of the code writes to these places or to views of them, under any name bound to them.

    Functions of the project that get one are searched, too. An `out=` counts whatever it is given: that may
    be the same memory under a name that is not followed.
    """
    nodes = model.walk(scope)
    names = _names_of(model, given - {""}, nodes)
    return any(
        _writes_to(model, node, names)
        or (isinstance(node, cst.Call) and _is_handed_on(model, node, names, depth))
        for node in nodes
    )


def _names_of(model: ScriptModel, given: set[str], nodes: list[cst.CSTNode]) -> set[str]:
    """The given places, and the names that are bound to them or to views of them."""
    names, size = set(given), -1
    while len(names) > size:
        size = len(names)
        for node in nodes:
            if isinstance(node, cst.Assign) and _root(model, node.value) in names:
                for target in node.targets:
                    names |= _bound(target.target)
            elif isinstance(node, cst.For) and _root(model, node.iter) in names:
                names |= _bound(node.target)
    return names


def _bound(target: cst.BaseExpression) -> set[str]:
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for element in target.elements for name in _bound(element.value)}
    return {target.value} if isinstance(target, cst.Name) else set()


def _writes_to(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    if isinstance(node, cst.AugAssign):
        return _root(model, node.target) in names
    if isinstance(node, cst.AssignTarget) and isinstance(node.target, (cst.Subscript, cst.Attribute)):
        return place(node.target) not in names and _root(model, node.target) in names
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return _changes(node.func.attr.value) and _root(model, node.func.value) in names
    return isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "out"


def _is_handed_on(model: ScriptModel, call: cst.Call, names: set[str], depth: int) -> bool:
    """Whether a call gets one of the places and writes to it: `F.relu_(x)`, `relu(x, inplace=True)`."""
    if not any(_root(model, arg.value) in names for arg in call.args):
        return False
    made = (v for v in reaching_values(model, call.func) if isinstance(v, cst.Call))
    if _changes(last_name(call.func)) or any(_works_in_place(c) for c in (call, *made)):
        return True
    for function in definitions_meant(model, call.func) if depth else ():
        if not isinstance(function, cst.FunctionDef) or not model.owns(function):
            continue
        given = {p: argument_for(call, function, p) for p in parameters(function)}
        taken = (p for p, value in given.items() if value is not None and _root(model, value) in names)
        if any(_is_written_by_name(model, {p}, function.body, depth - 1) for p in taken):
            return True
    return False


def _root(model: ScriptModel, node: cst.BaseExpression) -> str:
    """The place of what an index, a slice or a view is taken of, that of anything else itself; or ""."""
    while True:
        match node:
            case cst.Subscript(value=inner):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))) if name in SHARING:
                # `torch.flatten(x)` or `x.flatten()`.
                node = node.args[0].value if model.path_of(inner) == "torch" and node.args else inner
            case cst.Attribute(value=inner, attr=cst.Name(value=name)) if name in SHARING_ATTRIBUTES:
                node = inner
            case _:
                return place(node)


def is_in_place(call: cst.Call) -> bool:
    """Whether a call says that it changes a tensor: `x.mul_(2)`, `relu(x, inplace=True)`."""
    return _changes(last_name(call.func)) or _works_in_place(call)


def _changes(method: str) -> bool:
    """Whether a method or function changes the tensor that it gets: its elements, its shape or its graph."""
    return method.endswith("_") and not method.endswith("__") and method != "requires_grad_"


def _works_in_place(call: cst.Call) -> bool:
    given = keyword(call, "inplace")
    return given is not None and literal(given) is not False


def _received(call: cst.Call, given: cst.Arg | None, function: cst.FunctionDef) -> list[cst.Param]:
    """The parameter of a function that an argument of a call is for."""
    name = parameter_for(call, function, given) if given else ""
    return [param for param in listed_parameters(function) if param.name.value == name]


def _worst(answers: Iterable[Answer]) -> Answer:
    return max(answers, key=_ORDER.index, default="no")
