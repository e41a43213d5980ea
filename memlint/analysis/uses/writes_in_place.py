"""Whether the memory of a tensor is written in place by code that still has it under some name.

What a list keeps, and what is joined or copied later, has to be looked at with these eyes: an expression
that makes a new tensor is nobody else's, one that gives a view is written where its base is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant, returned
from memlint.analysis.dataflow.value_sources import choices_of, value_sources
from memlint.analysis.knowledge.libraries import OWN_STATE_METHODS, SHARING, SHARING_ATTRIBUTES
from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import Use, uses_of, uses_of_parameter
from memlint.syntax.arguments import argument_for, listed_parameters
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import last_name

Answer = Literal["no", "maybe", "yes"]
_ORDER: tuple[Answer, ...] = ("no", "maybe", "yes")
_DEPTH = 10
_READS = frozenset(
    "print len str repr isinstance type float int bool list tuple enumerate reversed sorted zip range sum "
    "max min hasattr getattr id next iter".split()
)
_HANDS_ON = frozenset("list tuple enumerate reversed sorted zip next iter".split())
_KEEPS = frozenset("append extend insert add appendleft put update setdefault".split())
_READING_PACKAGES = ("numpy.", "math.", "sklearn.", "logging.", "json.", "matplotlib.", "scipy.")


def written_in_place(model: ScriptModel, node: cst.CSTNode) -> Answer:
    """Whether what an expression gives is written in place through any name it goes by.

    "maybe" where code takes it that is not seen, or where it comes from out of view.
    """
    return _Walk(model).storage(node, _DEPTH)


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
        changes = use.name.endswith("_") and not use.name.endswith("__")
        if changes and use.name not in OWN_STATE_METHODS:
            return "yes"
        return self._used(use.node, depth - 1) if use.name in SHARING or changes else "no"

    def _argument(self, call: cst.Call, given: cst.Arg | None, depth: int) -> Answer:
        model, path, name = self.model, self.model.path_of(call.func), last_name(call.func)
        if given is not None and given.keyword is not None and given.keyword.value == "out":
            return "yes"
        if path.startswith("torch."):
            written = name.endswith("_") or any(
                a.keyword is not None and a.keyword.value == "inplace" and literal(a.value) is True
                for a in call.args
            )
            return "yes" if written else self._used(call, depth - 1) if name in SHARING else "no"
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


def _received(call: cst.Call, given: cst.Arg | None, function: cst.FunctionDef) -> list[cst.Param]:
    """The parameter of a function that an argument of a call is for."""
    params = listed_parameters(function)
    return [p for p in params if given and argument_for(call, function, p.name.value) is given.value]


def _worst(answers: Iterable[Answer]) -> Answer:
    return max(answers, key=_ORDER.index, default="no")
