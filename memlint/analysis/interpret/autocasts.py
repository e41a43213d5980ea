"""Autocast contexts: what they cast to, and when they are open."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from memlint.analysis.facts import Region
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import NONE, Cast, Const, External, Function, Ref, Value, options_of, truth

_FIRST = {"default": ("device_type", "dtype", "enabled", "cache_enabled")}
_CUDA = ("enabled", "dtype", "cache_enabled")


def autocast(path: str, args: Args, keywords: Keywords) -> Value:
    """What `torch.autocast(...)` and its older forms give."""
    default = lib.AUTOCASTS[path]
    given = dict(zip(_FIRST.get(default, _CUDA), args, strict=False)) | keywords
    if "**" in given:
        return Cast("", None, None)
    device = given.get("device_type")
    if default == "default":
        # Without a device the call raises.
        default = _device_default(device) if device is not None else ""
    return _with_options(Cast(default), given)


def _device_default(device: Value) -> str:
    """The dtype of a device that is given as a string: of the GPU, where both are possible."""
    names = [str(o.value) for o in options_of(device) if isinstance(o, Const)]
    if any(name.startswith("cuda") for name in names):
        return "float16"
    if names and len(names) == len(options_of(device)):
        return "bfloat16" if all(name.startswith("cpu") for name in names) else ""
    return "default"


def _with_options(cast: Cast, given: Keywords) -> Cast:
    dtype = given.get("dtype", NONE)
    if dtype != NONE:
        cast = replace(cast, dtype=_dtype(dtype))
    if "enabled" in given:
        cast = replace(cast, enabled=truth(given["enabled"]))
    if given.get("cache_enabled", NONE) != NONE:
        cast = replace(cast, cache=truth(given["cache_enabled"]))
    return cast


def _dtype(value: Value) -> str:
    """The one dtype that a value stands for, "" when it is not known."""
    kinds = set()
    for option in options_of(value):
        path = option.path if isinstance(option, External) else ""
        low = "float16" if path in lib.FLOAT16 else "bfloat16" if path in lib.BFLOAT16 else ""
        kinds.add(low or ("float32" if path in ("torch.float32", "torch.float") else ""))
    return kinds.pop() if len(kinds) == 1 else ""


def apply_cast(cast: Cast, args: Args, keywords: Keywords) -> Value:
    """What calling an autocast object gives: the function it decorates, or a prepared one itself."""
    if len(args) == 1 and isinstance(args[0], Function):
        return replace(args[0], cast=cast)
    return _with_options(cast, keywords)


def _cast_of(value: Value) -> Cast | None:
    """The autocast context that a value is, or that an own context manager opens around its `yield`."""
    options = options_of(value)
    found: list[Cast] = []
    for option in options:
        inner = option.obj.args.get("#cast") if isinstance(option, Ref) else option
        if isinstance(inner, Cast):
            found.append(inner)
    if not found:
        return None
    joined = found[0]
    for other in found[1:]:
        joined = _joined(joined, other)
    return joined if len(found) == len(options) else replace(joined, enabled=joined.enabled and None)


def _joined(a: Cast, b: Cast) -> Cast:
    return Cast(
        a.dtype if a.dtype == b.dtype else "",
        a.enabled if a.enabled == b.enabled else None,
        a.cache if a.cache == b.cache else None,
    )


def open_region(machine: Machine, value: Value, node: cst.CSTNode) -> None:
    """Entering `value` in a `with`, or as the decorator of a function: an autocast region begins."""
    cast = _cast_of(value)
    if cast is not None:
        machine.met_casts.add(cast)
        machine.regions = (*machine.regions, Region(node, machine.frame.id, machine.loops, cast))
