"""Whether a script still runs once a misspelt `requires_grad` has its effect."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge.libraries import FACTORIES, INTEGER_FACTORIES
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.uses.writes_in_place import written_in_place
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import literal, place, words_of
from memlint.syntax.tree import dotted, last_name

_INTEGERS = INTEGER_FACTORIES | frozenset(
    "int8 int16 int32 int64 uint8 short int long bool argmax argmin argsort".split()
)
_SAME = frozenset("float double half to cuda cpu unsqueeze view reshape transpose t contiguous".split())
_ADDS = frozenset({"add_module", "register_module", "append", "insert"})
_ALL = frozenset({"parameters", "named_parameters"})


def still_runs(model: ScriptModel, owner: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether `owner.requires_grad = value` raises no error, there or in the training, as far as seen.

    A tensor of integers cannot require gradients, and one that does cannot be written in place; the result of
    a network cannot stop to. A network that is frozen as a whole has nothing left to train.
    """
    if literal(value) is True:
        return not _of_integers(model, owner) and written_in_place(model, owner) != "yes"
    if literal(value) is False:
        return not _is_result(model, owner) and not _leaves_nothing(model, owner)
    return True


def has_none_anyway(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether a tensor takes no gradients as it was made: `table = torch.zeros(9, 8).float()`."""
    made = [source.node for source in value_sources(model, owner)]
    return bool(made) and all(isinstance(node, cst.Call) and _is_constant(model, node) for node in made)


def _is_constant(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call makes a tensor that asks for no gradients, by a factory of torch or a cast."""
    if keyword(call, "requires_grad") is not None:
        return False
    parent, _, name = model.path_of(call.func).rpartition(".")
    if parent == "torch":
        return name in FACTORIES
    func = call.func
    inner = func.value if isinstance(func, cst.Attribute) and func.attr.value in _SAME else None
    return isinstance(inner, cst.Call) and _is_constant(model, inner)


def _calls_behind(model: ScriptModel, owner: cst.BaseExpression) -> list[cst.Call]:
    return [s.node for s in value_sources(model, owner) if isinstance(s.node, cst.Call)]


def _of_integers(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    return any(
        last_name(call.func) in _INTEGERS or any(_INTEGERS & set(words_of(arg)) for arg in call.args)
        for call in _calls_behind(model, owner)
    )


def _is_result(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether a tensor comes from a forward pass: autograd has its history already."""
    made = set(_calls_behind(model, owner))
    return any(forward.recorded and forward.node in made for forward in model.trace.forwards.values())


def _leaves_nothing(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether all of a network that the file trains is frozen, and nothing of it given back."""
    whole = _frozen(model, owner)
    if not whole:
        return False
    attributes = model.names.every(cst.Attribute)
    asked = [a for a in attributes if a.attr.value in _ALL and place(a.value) == whole]
    trained = any(not isinstance(_loop_over(model, a), cst.For) for a in asked)
    return trained and not any(_gives_back(model, node, owner, whole) for node in attributes)


def _frozen(model: ScriptModel, owner: cst.BaseExpression) -> str:
    """`net` where it, or each parameter of `for p in net.parameters():`, is frozen in any case; else ""."""
    if kind_of(model, owner) == "module":
        return place(owner)
    loop = next((a for a in model.ancestors(owner) if isinstance(a, cst.BaseCompoundStatement)), None)
    if not isinstance(loop, cst.For) or not isinstance(loop.iter, cst.Call):
        return ""
    func, bound = loop.iter.func, {n.value for n in model.every(cst.Name, loop.target)}
    if not isinstance(func, cst.Attribute) or func.attr.value not in _ALL or dotted(owner) not in bound:
        return ""
    return place(func.value)


def _loop_over(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    call = model.parent(node)
    return model.parent(call) if call is not None else None


def _gives_back(model: ScriptModel, node: cst.Attribute, frozen: cst.BaseExpression, whole: str) -> bool:
    """Whether a part of a network is replaced, or trained again, after it was frozen."""
    same_scope = model.function_of(node) is model.function_of(frozen)
    if same_scope and model.positions[node] < model.positions[frozen]:
        return False
    above = model.parent(node)
    while isinstance(above, (cst.Subscript, cst.Attribute)):
        above = model.parent(above)
    if isinstance(above, cst.AssignTarget):
        value = model.parent(above)
        released = isinstance(value, cst.Assign) and literal(value.value) is not False
        return released and (place(node).startswith(f"{whole}.") or "grad" in node.attr.value)
    name = node.attr.value
    if not isinstance(above, cst.Call) or above.func is not node:
        return False
    off = bool(above.args) and literal(above.args[0].value) is False
    if name == "requires_grad_":
        return not off
    return name in _ADDS and dotted(node).startswith(f"{whole}.")
