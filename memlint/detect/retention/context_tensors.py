"""Which expressions in the forward pass of an autograd Function are tensors of more than one element."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.reaching_definitions import reaching_definitions
from memlint.analysis.knowledge import hints, libraries
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import dotted, last_name

_MAKES = re.compile(r"^torch\.((nn\.functional|linalg|fft|special|sparse|ops(\.\w+)*)\.)?[a-z_]\w*$")
_REDUCES = frozenset("sum mean max min norm prod tensor numel amax amin std var all any".split())
_OF_TENSORS = (libraries.SCALAR_ATTRIBUTES | libraries.LIGHT_METHODS) - frozenset(
    "names layout split sum mean item type rename t half float double clone to add sub mul div select".split()
)
_ASKS = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
"""Comparisons whose result is a bool, whatever they compare."""
_DEPTH = 6
_NUMBERS = frozenset({"int", "float", "bool", "str"})


@dataclass(frozen=True, slots=True)
class ContextTensors:
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
            if _is_number(found.node) or hints.WEIGHT.search(name):
                return False
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


def _is_number(param: cst.Param) -> bool:
    """Whether a parameter is annotated as a number or text, or stands for one where it is not given."""
    if param.annotation is not None and dotted(param.annotation.annotation) in _NUMBERS:
        return True
    return param.default is not None and isinstance(literal(param.default), (int, float, str))
