"""What the methods called on a tensor do to it: move it to the device, or cast it."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.knowledge import code_words
from memlint.analysis.model import ScriptModel
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import is_text, literal, mentions, place, speaks_of

_DTYPE = re.compile(r"^torch\.\w*(float|half|int|long)")
_CASTS = frozenset("float half bfloat16 long int type type_as bool short byte double".split())

_OF_TENSORS = frozenset({"shape", "size", "device", "dtype"})


def moves_as_it_is(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the tensor goes to the device as it is."""
    device = keyword(call, "device")
    if device is not None:
        return not is_text(device, "cpu") and chain_of(model, call) != "cast"
    direct = chain_of(model, call)
    if direct:
        return direct == "moved"
    target = model.parent(call)
    if not isinstance(target, cst.Assign) or len(target.targets) != 1:
        return False
    name = target.targets[0].target
    scope = model.function_of(call) or model.module
    kept = place(name)
    found = {
        _fate(model, n, kept)
        for n in model.walk(scope)
        if type(n) is type(name) and n is not name and kept and place(n) == kept
    }
    return "moved" in found and "cast" not in found


def _fate(model: ScriptModel, name: cst.CSTNode, kept: str) -> str:
    """What becomes of a name that is read: of the sum or product that it stands in, too, where that takes its
    place in another type, `mask = (1 - mask).bool()` or `mask = mask > 0`."""
    whole = name
    while isinstance(above := model.parent(whole), (cst.BinaryOperation, cst.UnaryOperation)):
        whole = above
    compared = isinstance(above, cst.Comparison)
    result = "cast" if compared else chain_of(model, whole)
    if whole is name and not compared:
        return result
    line = next((a for a in model.ancestors(whole) if isinstance(a, cst.BaseSmallStatement)), None)
    replaced = isinstance(line, cst.Assign) and any(place(t.target) == kept for t in line.targets)
    return result if replaced and result == "cast" else ""


def chain_of(model: ScriptModel, node: cst.CSTNode) -> str:
    """What the methods called on an expression do to it: "moved", "cast" at any point, or ""."""
    result = ""
    while True:
        attribute = model.parent(node)
        call = (
            model.parent(attribute)
            if isinstance(attribute, cst.Attribute) and attribute.value is node
            else None
        )
        if (
            not isinstance(call, cst.Call)
            or call.func is not attribute
            or not isinstance(attribute, cst.Attribute)
        ):
            return result
        name = attribute.attr.value
        if name in _CASTS or (
            name == "to" and (_names_both(call) or any(_is_dtype(model, arg) for arg in call.args))
        ):
            return "cast"
        if name == "cuda" or (name == "to" and call.args and not speaks_of(call.args[0], code_words.ON_CPU)):
            result = "moved"
        node = call


def _names_both(call: cst.Call) -> bool:
    """Whether `to` gets a device and, by position, a dtype: `x.to(y.device, self.real)`."""
    if len(call.args) < 2 or any(arg.keyword is not None or arg.star for arg in call.args[:2]):
        return False
    return literal(call.args[1].value) not in (True, False)


def _is_dtype(model: ScriptModel, arg: cst.Arg) -> bool:
    """Whether an argument of `to` is a dtype of numbers: by its keyword, or as a member of torch."""
    if arg.keyword is not None:
        return arg.keyword.value == "dtype"
    if mentions(arg.value, "dtype") or _DTYPE.match(model.path_of(arg.value)):
        return True
    return isinstance(arg.value, cst.Name) and _is_tensor(model, arg.value)


def _is_tensor(model: ScriptModel, name: cst.Name) -> bool:
    """Whether the function reads of a variable what tensors have: `a.to(x)` takes its dtype, too."""
    read = model.every(cst.Attribute, model.function_of(name) or model.module)
    return any(place(part.value) == name.value and part.attr.value in _OF_TENSORS for part in read)
