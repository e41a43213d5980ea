"""Which device an expression names, and which calls put their result on it."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import device_hints, hints
from memlint.analysis.model import ScriptModel
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted

_CUDA = re.compile(r"^[rbfuRBFU]*['\"]cuda\b")
_CPU = re.compile(r"^[rbfuRBFU]*['\"](cpu|mps|meta|xla)\b")
_CUDA_TENSOR = re.compile(r"^torch\.cuda\.\w*Tensor$")


def device_of(model: ScriptModel, node: cst.BaseExpression, depth: int = 4) -> str:
    """The kind of device that an expression names: "cuda" (perhaps among others), "cpu", "unknown" or ""."""
    if depth == 0:
        return ""
    origins = [origin for origin in value_sources(model, node) if literal(origin.node) is not None]
    if any(_is_of_tensor(model, origin) for origin in origins):
        # Beside the device of a tensor, what the caller need not say is for calls without a tensor.
        origins = [origin for origin in origins if not _is_optional(origin)]
    found = {_one(model, origin, depth) for origin in origins}
    return next((kind for kind in ("cuda", "unknown", "cpu") if kind in found), "")


def _is_of_tensor(model: ScriptModel, origin: Definition) -> bool:
    """Whether a device is that of another value: `x.device`."""
    node = origin.node
    named = isinstance(node, cst.Attribute) and node.attr.value == "device" and dotted(node.value) != "self"
    return named and not _one(model, origin, 1)


def _is_optional(origin: Definition) -> bool:
    default = origin.node.default if isinstance(origin.node, cst.Param) else None
    return default is not None and literal(default) is None


def _one(model: ScriptModel, origin: Definition, depth: int) -> str:
    node = origin.node
    if isinstance(node, (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)):
        return _named(model.code(node))
    if isinstance(node, cst.BinaryOperation):
        return _named(model.code(node.left))
    if isinstance(node, cst.Call):
        path = model.path_of(node.func)
        if path == "torch.device" and node.args:
            inner = node.args[0].value
            return "cuda" if isinstance(inner, cst.Integer) else device_of(model, inner, depth - 1)
        return "cuda" if path == "torch.cuda.current_device" else ""
    if isinstance(node, cst.Param):
        return "unknown" if device_hints.DEVICE_VARIABLE.search(node.name.value) else ""
    if isinstance(node, (cst.Name, cst.Attribute)) and not model.path_of(node):
        owner, _, name = dotted(node).rpartition(".")
        settings = not owner or hints.SETTINGS_OBJECT.search(owner.rpartition(".")[2]) is not None
        return "unknown" if settings and device_hints.DEVICE_VARIABLE.search(name) else ""
    return ""


def _named(code: str) -> str:
    return "cuda" if _CUDA.match(code) else "cpu" if _CPU.match(code) else ""


def placed(model: ScriptModel, call: cst.Call) -> str:
    """Where a call puts its result: "cuda", "cpu", "unknown", or "" when it says nothing of a device."""
    func = call.func
    path = model.path_of(func)
    if _CUDA_TENSOR.match(path):
        return "cuda"
    wanted = "map_location" if path == "torch.load" else "device"
    keywords = [a.value for a in call.args if a.keyword is not None and a.keyword.value == wanted]
    if path.startswith("torch.") and path not in ("torch.device", "torch.Generator"):
        return device_of(model, keywords[0]) if keywords else ""
    if not isinstance(func, cst.Attribute) or path:
        return ""
    if func.attr.value == "cuda":
        return "cuda"
    if func.attr.value in ("cpu", "numpy"):
        return "cpu"
    if func.attr.value != "to" or not call.args:
        return ""
    if keywords:
        return device_of(model, keywords[0])
    first = call.args[0]
    if first.keyword is not None or first.star:
        return ""
    return "cuda" if isinstance(first.value, cst.Integer) else device_of(model, first.value)


def kept_on(model: ScriptModel, node: cst.BaseExpression) -> cst.Call | None:
    """The call that put a named value on a CUDA device: where it was made, or `name.cuda()` by itself."""
    for origin in value_sources(model, node):
        made = origin.node.elt if isinstance(origin.node, cst.ListComp) else origin.node
        if isinstance(made, cst.Call) and (found := _outermost(model, made)) is not None:
            return found
    name = dotted(node)
    for call in _bare_moves(model):
        if isinstance(call.func, cst.Attribute) and dotted(call.func.value) == name:
            scope, other = model.names.scope_of(call), model.names.scope_of(node)
            head = name.partition(".")[0]
            if scope.owner(head) is other.owner(head) and placed(model, call) == "cuda":
                return call
    return None


def _outermost(model: ScriptModel, call: cst.Call) -> cst.Call | None:
    """The move in `x.cuda()`, `Net().to(device).eval()`: the last one decides."""
    current: cst.BaseExpression = call
    while isinstance(current, cst.Call):
        where = placed(model, current)
        if where:
            return current if where == "cuda" else None
        if not isinstance(current.func, cst.Attribute):
            return None
        current = current.func.value
    return None


@cached
def _bare_moves(model: ScriptModel) -> list[cst.Call]:
    return [
        call
        for call in model.names.calls
        if isinstance(call.func, cst.Attribute)
        and call.func.attr.value in ("cuda", "to")
        and isinstance(model.parent(call), cst.Expr)
    ]


@cached
def defaults_to_cuda(model: ScriptModel) -> bool:
    """Whether new tensors lie on the GPU unless they are told otherwise."""
    for call in model.names.calls:
        path = model.path_of(call.func) if call.args else ""
        given = call.args[0].value if call.args else None
        if path == "torch.set_default_tensor_type" and given is not None:
            if "cuda" in (model.path_of(given) or str(literal(given))):
                return True
        elif path == "torch.set_default_device" and given is not None and device_of(model, given) == "cuda":
            return True
    return False
