"""The devices that a file names by literal numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import device_hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import is_text
from memlint.syntax.tree import last_name


def named_devices(model: ScriptModel) -> Iterator[tuple[cst.CSTNode, int]]:
    """Every device that the file names by a literal number."""
    for node in model.names.every(cst.SimpleString):
        if re.fullmatch(r"cuda:\d+", node.value[1:-1]) and _is_device(model, node):
            yield node, int(node.value[6:-1])
    for call in model.names.calls:
        name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        path = model.names.one(call.func)
        value: cst.BaseExpression | None = None
        if (name == "cuda" and len(call.args) == 1) or path == "torch.cuda.set_device":
            value = call.args[0].value if call.args else None
        elif path == "torch.device" and call.args and is_text(call.args[0].value, "cuda"):
            value = argument(call, 1, "index")
        if isinstance(value, cst.Integer):
            yield value, int(value.evaluated_value)


def _is_device(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a string is used as a device here, not compared, mapped from, or offered as an option."""
    parent = model.parent(node)
    if isinstance(parent, cst.IfExp):
        return parent.test is not node and _is_device(model, parent)
    if isinstance(parent, cst.Assign):
        return any(device_hints.DEVICE_TARGET.search(last_name(t.target)) for t in parent.targets)
    call = model.parent(parent) if isinstance(parent, cst.Arg) else None
    if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call):
        return False
    if parent.keyword is not None:
        return parent.keyword.value in ("device", "map_location")
    return last_name(call.func) in ("device", "to", "cuda", "set_device", "set_default_device")
