"""Whether a function computes with a container of tensors, or with what it was joined into."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.value_sources import call_graph
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
    return are_of_networks(model, [c for c in calls if any(place(a.value) in joined for a in c.args)])


def are_of_networks(model: ScriptModel, given: Collection[cst.Call]) -> bool:
    """Whether one of these calls runs a network, or is a method of one."""
    if not given:
        return False
    objects = [call.func.value for call in given if isinstance(call.func, cst.Attribute)]
    if any(kind_of(model, obj) == "module" for obj in objects if dotted(obj) not in ("", "self")):
        return True
    forwards = [forward for forward in model.trace.forwards.values() if forward.node in given]
    options = (option for forward in forwards for option in options_of(forward.module))
    return any(isinstance(option, Ref) and option.obj.kind == "module" for option in options)


def callers_compute(model: ScriptModel, function: cst.CSTNode) -> bool:
    """Whether a caller of a function in this file gives what it returns to a network."""
    called = call_graph(model).named(function.name.value) if isinstance(function, cst.FunctionDef) else []
    for call in (c for c in called if definition(model, c.func) is function):
        above = model.parent(call)
        taker = model.parent(above) if isinstance(above, cst.Arg) else None
        if isinstance(taker, cst.Call) and (are_of_networks(model, [taker]) or _is_of_a_part(model, taker)):
            return True
        names = [place(t.target) for t in above.targets] if isinstance(above, cst.Assign) else []
        if goes_into_network(model, model.function_of(call) or model.module, [n for n in names if n]):
            return True
    return False


def _is_of_a_part(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call runs an object that `self` holds, `self.head(x)`, and no method or function."""
    held = isinstance(call.func, cst.Attribute) and dotted(call.func.value) == "self"
    return held and definition(model, call.func) is None


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
