"""What becomes of a container of tensors: a bank to compute with, or a record that is read once."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import RetainedValue, readers
from memlint.detect.retention.computed_with import (
    REDUCING,
    callers_compute,
    computes,
    goes_into_network,
    is_given_to_computing,
)
from memlint.syntax.expressions import place
from memlint.syntax.tree import dotted, last_name, root_name

_JOINS = ("torch.cat", "torch.stack", "torch.concat", "torch.vstack")
_SHAPING = frozenset("detach float view reshape flatten squeeze contiguous".split())
_LEAVING = ("cpu", "numpy", "tolist", "item")


def is_computed_with(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether the function computes with what the container becomes: a bank of features, not a record."""
    scope = model.function_of(retained.store.node) or model.module
    names, joined = {retained.store.target}, {}
    read = list(readers(model, retained))
    if read and all(leaves_device(model, reader) for reader in read):
        return False
    for reader in read:
        if _is_reduced(model, reader) or _is_given_to_method(model, reader):
            return True
        statement = model.statement_of(reader)
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if isinstance(small, cst.Assign):
            joined.update({place(t.target): model.positions[small] for t in small.targets if place(t.target)})
    names |= joined.keys()
    if any(computes(model, n, names) or _read_in_loop(model, n, joined) for n in model.walk(scope)):
        return True
    if goes_into_network(model, scope, joined) or is_given_to_computing(model, scope, joined):
        return True
    return any(is_returned_joined(model, reader) for reader in read) and callers_compute(model, scope)


def _is_reduced(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether a reader joins the container for what the whole comes to, `torch.cat(box).mean(0)`, or moves
    the whole to a device by name to use it there: `torch.cat(box).to(device)`."""
    call = _join(model, reader)
    method = model.parent(call) if call is not None else None
    if not isinstance(method, cst.Attribute):
        return False
    moved, name = model.parent(method), method.attr.value
    given = [last_name(argument.value) for argument in moved.args] if isinstance(moved, cst.Call) else []
    return name in (*REDUCING, "cuda") or (name == "to" and any("device" in n for n in given))


def _join(model: ScriptModel, reader: cst.CSTNode) -> cst.Call | None:
    """The call of `torch.cat` or the like that a reader is an argument of."""
    argument = model.parent(reader)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    return call if isinstance(call, cst.Call) and model.names.one(call.func) in _JOINS else None


def _is_given_to_method(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether an attribute is computed from the container by a method: `self.L = self._build(parts)`."""
    argument = model.parent(reader)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    above = model.parent(call) if isinstance(call, cst.Call) and root_name(call.func) == "self" else None
    return isinstance(above, cst.Assign) and all(isinstance(t.target, cst.Attribute) for t in above.targets)


def _read_in_loop(model: ScriptModel, node: cst.CSTNode, joined: dict[str, int]) -> bool:
    """Whether what the container was joined into is handed to a function by a later loop."""
    since = joined.get(place(node.value)) if isinstance(node, cst.Arg) else None
    if since is None:
        return False
    return any(
        isinstance(a, (cst.For, cst.While)) and model.positions[a] > since for a in model.ancestors(node)
    )


def leaves_device(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether a reader only joins the container to move it: `torch.cat(box).detach().cpu()`."""
    if is_length(model, reader):
        return True
    joined = _join(model, reader)
    method = model.parent(joined) if joined is not None else None
    while isinstance(method, cst.Attribute) and method.attr.value in (*_SHAPING, "data"):
        method = model.parent(method if method.attr.value == "data" else model.parent(method) or method)
    return isinstance(method, cst.Attribute) and method.attr.value in _LEAVING


def is_length(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether a reader only asks for the length of the container."""
    argument = model.parent(reader)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    return isinstance(call, cst.Call) and dotted(call.func) == "len"


def is_joined(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether a reader joins the members with `torch.cat` or its like, which takes nothing but tensors."""
    return _join(model, reader) is not None


def joining(model: ScriptModel, reader: cst.CSTNode) -> str:
    """The import path of the function that a reader joins the members with, "" where it does not."""
    call = _join(model, reader)
    return model.path_of(call.func) if call is not None else ""


def is_returned_joined(model: ScriptModel, reader: cst.CSTNode) -> bool:
    """Whether a reader joins the container in a `return` statement, as it is or beside other results."""
    joined = _join(model, reader)
    above = model.parent(joined) if joined is not None else None
    while isinstance(above, (cst.Element, cst.Tuple)):
        above = model.parent(above)
    return isinstance(above, cst.Return)
