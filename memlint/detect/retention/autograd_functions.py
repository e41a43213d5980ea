"""Classes that derive from torch.autograd.Function, and the tensors that they leave on `ctx`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.reaching_definitions import methods, reaching_definitions
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import dotted, last_name

_BASE = re.compile(r"^torch\.autograd\.(Function|function\.\w*Function)$")
_MAKES = re.compile(r"^torch\.((nn\.functional|linalg|fft|special|sparse|ops(\.\w+)*)\.)?[a-z_]\w*$")
_REDUCES = frozenset("sum mean max min norm prod tensor numel amax amin std var all any".split())
_OF_TENSORS = (libraries.SCALAR_ATTRIBUTES | libraries.LIGHT_METHODS) - frozenset(
    "names layout split sum mean item type rename t half float double clone to add sub mul div select".split()
)
_ASKS = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
"""Comparisons whose result is a bool, whatever they compare."""

_DEPTH = 6


@dataclass(frozen=True, slots=True, eq=False)
class OnContext:
    """A tensor that the forward pass of a Function assigns to an attribute of its `ctx`.

    `target` is `ctx.name`; `output` says that the forward pass returns the same tensor, `given` that it is
    one of its arguments.
    """

    function: cst.FunctionDef
    statement: cst.Assign
    target: cst.Attribute
    value: cst.BaseExpression
    output: bool
    given: bool


def autograd_functions(model: ScriptModel) -> Iterator[cst.ClassDef]:
    """The classes of the file that derive from `torch.autograd.Function`, directly or through another one."""
    for owner in model.names.every(cst.ClassDef):
        if _derives(model, owner):
            yield owner


def _derives(model: ScriptModel, owner: cst.ClassDef, depth: int = 3) -> bool:
    for base in owner.bases:
        above = definition(model, base.value)
        if _BASE.match(model.path_of(base.value)):
            return True
        if isinstance(above, cst.ClassDef) and depth > 0 and _derives(model, above, depth - 1):
            return True
    return False


def kept_on_context(model: ScriptModel, owner: cst.ClassDef) -> list[OnContext]:
    """The tensors of more than one element that a Function leaves on its `ctx`, in source order."""
    found = []
    own = methods(model, owner)
    for name in ("forward", "setup_context"):
        function = own.get(name)
        if function is None or not parameters(function) or not model.owns(function):
            continue
        context = parameters(function)[0]
        for node in model.names.every(cst.Assign, function.body):
            for target in (t.target for t in node.targets):
                if isinstance(target, cst.Attribute) and dotted(target.value) == context:
                    kept = OnContext(function, node, target, node.value, *_passed(model, function, node))
                    if kept.output or _Tensors(model, own, function).has(node.value):
                        found.append(kept)
    return found


def _passed(model: ScriptModel, function: cst.FunctionDef, node: cst.Assign) -> tuple[bool, bool]:
    """Whether an assigned value is returned by a forward pass, and whether it is one of its arguments."""
    names = {place(node.value), *(place(t.target) for t in node.targets)} - {""}
    if function.name.value == "setup_context":
        passed = reaching_definitions(model, node.value)
        last = function.params.params[-1]
        return any(d.node is last for d in passed), any(d.kind == "item" for d in passed)
    returned = [r.value for r in model.names.every(cst.Return, function.body) if r.value is not None]
    parts = [e.value for r in returned if isinstance(r, cst.Tuple) for e in r.elements]
    given = place(node.value) in parameters(function)[1:]
    return bool(names & {place(r) for r in (*returned, *parts)}), given


@dataclass(frozen=True, slots=True)
class _Tensors:
    """Which expressions in the forward pass of a Function are tensors, by what makes and uses them."""

    model: ScriptModel
    methods: dict[str, cst.FunctionDef]
    function: cst.FunctionDef

    def has(self, node: cst.BaseExpression, depth: int = _DEPTH) -> bool:
        """Whether an expression is a tensor of more than one element for all that is known."""
        if depth == 0:
            return False
        if isinstance(node, cst.Name):
            found = reaching_definitions(self.model, node)
            return bool(found) and any(self._defined(d, node.value, depth) for d in found)
        if isinstance(node, cst.Call):
            return self._called(node, depth)
        if isinstance(node, cst.BinaryOperation):
            return self.has(node.left, depth - 1) or self.has(node.right, depth - 1)
        if isinstance(node, cst.Comparison):
            answers_one = any(isinstance(c.operator, _ASKS) for c in node.comparisons)
            return not answers_one and self.has(node.left, depth - 1)
        if isinstance(node, cst.UnaryOperation):
            return not isinstance(node.operator, cst.Not) and self.has(node.expression, depth - 1)
        if isinstance(node, cst.IfExp):
            return self.has(node.body, depth - 1) or self.has(node.orelse, depth - 1)
        return (
            isinstance(node, cst.Attribute)
            and node.attr.value in ("data", "T", "mT")
            and self.has(node.value, depth - 1)
        )

    def _called(self, node: cst.Call, depth: int) -> bool:
        name = last_name(node.func)
        path = self.model.path_of(node.func)
        if name in _REDUCES and len(node.args) < (2 if path else 1):
            return False
        if path:
            return bool(_MAKES.match(path)) and name not in libraries.SCALAR_FUNCTIONS
        owned = isinstance(node.func, cst.Attribute) and name not in libraries.SCALAR_METHODS
        return owned and self.has(node.func.value, depth - 1)  # type: ignore[attr-defined]

    def _defined(self, found: Definition, name: str, depth: int) -> bool:
        if isinstance(found.node, cst.Param):
            number = parameters(self.function).index(name) - 1
            small = hints.SMALL_OPTION.search(name) is not None
            return self._has_gradient(number) or (not small and self._is_used_as_tensor(found.node))
        if found.kind == "item" and self.function.name.value == "setup_context":
            return self._has_gradient(found.index)
        value = found.kind == "value" and isinstance(found.node, cst.BaseExpression)
        return value and self.has(found.node, depth - 1)  # type: ignore[arg-type]

    def _is_used_as_tensor(self, param: cst.Param) -> bool:
        """Whether a parameter is annotated as a tensor, or the function reads what only tensors have."""
        if param.annotation is not None:
            return self.model.path_of(param.annotation.annotation) == "torch.Tensor"
        name = param.name.value
        reads = self.model.names.every(cst.Attribute, self.function.body)
        return any(place(a.value) == name and a.attr.value in _OF_TENSORS for a in reads)

    def _has_gradient(self, number: int) -> bool:
        """Whether the backward pass returns a gradient for this argument of the forward pass."""
        backward = self.methods.get("backward")
        if backward is None:
            return False
        for node in self.model.names.every(cst.Return, backward.body):
            if isinstance(node.value, cst.Tuple):
                parts = node.value.elements
                plain = len(parts) > number and not any(isinstance(p, cst.StarredElement) for p in parts)
                if plain and literal(parts[number].value) is not None:
                    return True
            elif number == 0 and node.value is not None and len(parameters(self.function)) == 2:
                return True
        return False
