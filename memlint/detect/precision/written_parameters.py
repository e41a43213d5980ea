"""Calls that write the parameters of a network without its optimizer."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from memlint.analysis.facts import Called, Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.untrained_networks import network
from memlint.analysis.values import Ref, options_of
from memlint.syntax.expressions import place
from memlint.syntax.tree import dotted

_WRITES = frozenset({".copy_", ".lerp_", ".mul_", ".add_", ".sub_", ".set_"})


def written_networks(model: ScriptModel, event: Called) -> Callable[[Forward], bool] | None:
    """Which forwards run a network whose parameters a call writes: `net.load_state_dict(...)`, or
    `p.data.copy_(...)` in a loop over `net.parameters()`."""
    if event.path == ".load_state_dict" and event.owner is not None:
        loaded = [o.obj.id for o in options_of(event.owner) if isinstance(o, Ref) and o.obj.kind == "module"]
        return lambda forward: any(getattr(network(forward), "id", None) == number for number in loaded)
    if event.path not in _WRITES or not isinstance(event.node, cst.Call):
        return None
    walked = [code for loop in event.loops if (code := _parameters_of(model, loop.node, event.node))]
    return (lambda forward: forward.code in walked and forward.frame is event.frame) if walked else None


def _parameters_of(model: ScriptModel, loop: cst.CSTNode, write: cst.Call) -> str:
    """`net` where a call writes to the name that a loop gives to the parameters of `net`."""
    if not isinstance(loop, cst.For):
        return ""
    sources: list[cst.BaseExpression] = [loop.iter]
    targets: list[cst.CSTNode] = [loop.target]
    if isinstance(loop.iter, cst.Call) and dotted(loop.iter.func) == "zip":
        sources = [a.value for a in loop.iter.args]
        targets = [e.value for e in loop.target.elements] if isinstance(loop.target, cst.Tuple) else []
    owner = place(write.func.value) if isinstance(write.func, cst.Attribute) else ""
    for source, target in zip(sources, targets, strict=False):
        if owner and owner.removesuffix(".data") == place(target):
            return _owner_of_parameters(model, source)
    return ""


def _owner_of_parameters(model: ScriptModel, node: cst.BaseExpression) -> str:
    """`net` for `net.parameters()`."""
    func = node.func if isinstance(node, cst.Call) and not node.args else None
    asks = isinstance(func, cst.Attribute) and func.attr.value == "parameters"
    return model.code(func.value) if isinstance(func, cst.Attribute) and asks else ""
