"""Where the result of `state_dict()`, or a copy of a module, is kept: as an alias or as a copy."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import is_plain_object, role_of
from memlint.records import dataclass
from memlint.syntax.expressions import speaks_of
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, last_name

_SAME_DEVICE = ("detach", "data", "clone")
_SHALLOW = ("copy.copy", "collections.OrderedDict")


@dataclass(frozen=True, slots=True)
class KeptWeights:
    """`target = <weights of owner>`: `value` is the expression, `how` alias or copy."""

    target: cst.BaseExpression
    value: cst.BaseExpression
    owner: cst.BaseExpression
    how: str
    appended: bool = False


def weights_of(
    model: ScriptModel, names: Names, node: cst.BaseExpression
) -> tuple[cst.BaseExpression | None, str]:
    """The module whose weights an expression gives, and whether it gives them as an alias or as a copy."""
    if not isinstance(node, cst.Call):
        return node if _is_module(model, node) else None, "alias"
    if len(node.args) == 1 and names.one(node.func) == "copy.deepcopy":
        inner = node.args[0].value
        owner = _state_of(model, inner)
        if owner is not None:
            return owner, "copy"
        named = isinstance(inner, (cst.Name, cst.Attribute)) and _is_module(model, inner)
        return (inner, "copy") if named else (None, "")
    return _state_of(model, node), "alias"


def _state_of(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    owner = node.func.value
    if node.func.attr.value != "state_dict" or speaks_of(owner, hints.NOT_A_MODULE):
        return None
    return owner if not is_plain_object(model, owner) else None


def _is_module(model: ScriptModel, node: cst.BaseExpression) -> bool:
    role = role_of(model, node)
    return role is not None and role.kind == "module"


def stored(
    model: ScriptModel, node: cst.BaseExpression, owner: cst.BaseExpression, how: str
) -> KeptWeights | None:
    """Where the weights are put: through a dictionary or a shallow copy they are the same tensors."""
    value: cst.BaseExpression = node
    parent = model.parent(value)
    while parent is not None:
        if isinstance(parent, cst.Arg):
            call = model.parent(parent)
            if not isinstance(call, cst.Call):
                return None
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "append":
                return KeptWeights(call.func.value, value, owner, how, appended=True)
            if dotted(call.func) != "dict" and model.path_of(call.func) not in _SHALLOW:
                return None
            value, parent = call, model.parent(call)
        elif isinstance(parent, (cst.DictElement, cst.Element)):
            holder = model.parent(parent)
            if not isinstance(holder, (cst.Dict, cst.Tuple)):
                return None
            above = model.parent(holder)
            target = above.targets[0].target if isinstance(above, cst.Assign) else None
            if isinstance(holder, cst.Tuple) and isinstance(target, cst.Tuple):
                position = [e.value for e in holder.elements].index(value)
                return KeptWeights(target.elements[position].value, value, owner, how)
            value, parent = holder, above
        elif isinstance(parent, cst.Attribute):
            value, parent, cloned = _through_method(model, parent, value)
            how = "copy" if cloned else how
        elif isinstance(parent, cst.Assign) and len(parent.targets) == 1 and parent.value is value:
            return KeptWeights(parent.targets[0].target, value, owner, how)
        else:
            return None
    return None


def _through_method(
    model: ScriptModel, attribute: cst.Attribute, value: cst.BaseExpression
) -> tuple[cst.BaseExpression, cst.CSTNode | None, bool]:
    """`state_dict().copy()` and `{k: v for k, v in state_dict().items()}` hold the same tensors; with
    `v.clone()` copies on the same device, which the last part of the answer tells."""
    call = model.parent(attribute)
    if isinstance(call, cst.Call) and attribute.attr.value == "copy":
        return call, model.parent(call), False
    clause = model.parent(call) if call is not None else None
    holder = model.parent(clause) if isinstance(clause, cst.CompFor) else None
    if attribute.attr.value == "items" and isinstance(holder, cst.DictComp):
        names = clause.target.elements if isinstance(clause.target, cst.Tuple) else ()  # type: ignore[union-attr]
        held, cloned = holder.value, False
        while last_name(part := held.func if isinstance(held, cst.Call) else held) in _SAME_DEVICE:
            cloned = cloned or last_name(part) == "clone"
            held = part.value  # type: ignore[attr-defined]
        if names and dotted(held) == dotted(names[-1].value):
            return holder, model.parent(holder), cloned
    return value, None, False
