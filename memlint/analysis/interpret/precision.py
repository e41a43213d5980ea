"""Which modules are in half precision, and which cast made them so."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import Const, External, Obj, Value, options_of


def note_lowering(
    machine: Machine, obj: Obj, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> None:
    """Remember where a module was cast to half precision (`.half()`, `.to(torch.float16)`) or back."""
    dtype = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float32"}.get(name, "")
    if name in ("to", "type"):
        dtype = _dtype((*args, *keywords.values()))
    if dtype:
        _set_dtype(machine, obj, dtype, node)


def note_precision(machine: Machine, obj: Obj, keywords: Keywords, node: cst.CSTNode) -> None:
    """Remember modules that are loaded in half precision (`from_pretrained(torch_dtype=...)`)."""
    dtype = _dtype(tuple(v for k, v in keywords.items() if k in ("dtype", "torch_dtype")))
    if dtype:
        _set_dtype(machine, obj, dtype, node)


def _set_dtype(machine: Machine, obj: Obj, dtype: str, node: cst.CSTNode) -> None:
    if machine.quiet:
        return
    if dtype == "float32":
        machine.trace.raised_to_float32.add(obj.id)
    machine.trace.casts[id(node)] = node
    machine.write((obj.id, "#dtype"), Const((dtype, id(node))))


def set_default_dtype(machine: Machine, args: Args, node: cst.CSTNode) -> None:
    """`torch.set_default_dtype(torch.float16)`: modules made from here on have half parameters."""
    dtype = _dtype(tuple(args))
    if machine.state is not None and not machine.quiet:
        machine.trace.casts[id(node)] = node
        machine.write((0, "#default"), Const((dtype or "float32", id(node))))


def note_default_dtype(machine: Machine, obj: Obj) -> None:
    """A module made now takes the default precision."""
    default = machine.read((0, "#default"))
    if default is not None:
        machine.write((obj.id, "#dtype"), default)


def precision_of(machine: Machine, obj_id: int) -> list[tuple[str, int]]:
    """The precisions that a module may have here, each with the key of the cast in `trace.casts`."""
    value = machine.read((obj_id, "#dtype"))
    known = [o.value for o in options_of(value) if isinstance(o, Const)] if value is not None else []
    return [cast for cast in known if isinstance(cast, tuple) and cast[0] != "float32"]


def _dtype(values: tuple[Value, ...]) -> str:
    for value in values:
        if isinstance(value, External):
            if value.path in lib.FLOAT16:
                return "float16"
            if value.path in lib.BFLOAT16:
                return "bfloat16"
            if value.path in ("torch.float32", "torch.float", "torch.float64", "torch.double"):
                return "float32"
    return ""
