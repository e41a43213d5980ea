"""Whether a function computes with a container of tensors, or with what it was joined into."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.values import Ref, options_of
from memlint.syntax.arguments import parameter_for
from memlint.syntax.expressions import place, reads_place
from memlint.syntax.tree import dotted, last_name

_COMPUTING = frozenset(
    "mm matmul bmm einsum cdist topk cosine_similarity index_copy_ index_select linear sort argsort dist "
    "scaled_dot_product_attention repeat repeat_interleave expand".split()
)
REDUCING = ("mean", "std", "var", "median")
"""Methods that come to one value of many."""


def goes_into_network(model: ScriptModel, scope: cst.CSTNode, joined: Collection[str]) -> bool:
    """Whether what the container was joined into is the input of a network, which runs on the device."""
    calls = [n for n in model.walk(scope) if isinstance(n, cst.Call) and joined]
    given = [call for call in calls if any(place(argument.value) in joined for argument in call.args)]
    if not given:
        return False
    objects = [call.func.value for call in given if isinstance(call.func, cst.Attribute)]
    if any(kind_of(model, obj) == "module" for obj in objects if dotted(obj) not in ("", "self")):
        return True
    forwards = [forward for forward in model.trace.forwards.values() if forward.node in given]
    options = (option for forward in forwards for option in options_of(forward.module))
    return any(isinstance(option, Ref) and option.obj.kind == "module" for option in options)


def is_given_to_computing(
    model: ScriptModel, scope: cst.CSTNode, names: Collection[str], depth: int = 2
) -> bool:
    """Whether a function of the file that gets what the container was joined into computes with it."""
    calls = (node for node in model.walk(scope) if isinstance(node, cst.Call)) if depth and names else ()
    for call in calls:
        passed = [a for a in call.args if not a.star and place(a.value) in names]
        function = definition(model, call.func) if passed else None
        if not isinstance(function, cst.FunctionDef) or function is scope:
            continue
        given = {parameter_for(call, function, argument) for argument in passed} - {""}
        if any(computes(model, node, given) for node in model.walk(function)):
            return True
        if is_given_to_computing(model, function, given, depth - 1):
            return True
    return False


def computes(model: ScriptModel, node: cst.CSTNode, names: Collection[str]) -> bool:
    """Whether a part of the code computes with one of these places: a product, a search, a mean over rows."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply):
        operands: list[cst.CSTNode] = [node.left, node.right]
    elif isinstance(node, cst.Call) and last_name(node.func) in _COMPUTING:
        operands = [node]
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.args:
        # A mean over the batches, kept as a vector: numbers of all of them are read by `mean()`.
        return node.func.attr.value in REDUCING and place(node.func.value) in names
    else:
        return False
    return any(reads_place(operand, names) for operand in operands)
