"""Classes that derive from torch.autograd.Function, and the tensors that they leave on `ctx`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import assigned
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.reaching_definitions import methods
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.detect.retention.context_tensors import ContextTensors
from memlint.detect.retention.function_outputs import passed
from memlint.records import dataclass
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import UNKNOWN, literal
from memlint.syntax.tree import dotted

_BASE = re.compile(r"^torch\.autograd\.(Function|function\.\w*Function)$")


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
    """The classes of the file that derive from `torch.autograd.Function`, directly or through another one.

    Those of the old kind, whose `forward` is a method of the object, torch refuses to run since 1.5.
    """
    for owner in model.names.every(cst.ClassDef):
        forward = methods(model, owner).get("forward")
        if _derives(model, owner) and (forward is None or forward.decorators):
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
            pairs = (pair for t in node.targets for pair in assigned(t.target, node.value, "value"))
            for target, given in pairs:
                value = given.node
                if not isinstance(target, cst.Attribute) or dotted(target.value) != context:
                    continue
                if given.kind != "value" or not isinstance(value, cst.BaseExpression):
                    continue
                if all(literal(source.node) is not UNKNOWN for source in value_sources(model, value)):
                    continue
                kept = OnContext(function, node, target, value, *passed(model, own, function, node, value))
                tensors = ContextTensors(model, own, function)
                if kept.output or any(tensors.has(part) for part in _parts(value)):
                    found.append(kept)
    return found


def _parts(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The members of a tuple; any other value itself. Lists are buffers that kernels fill, empty as yet."""
    return [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]
