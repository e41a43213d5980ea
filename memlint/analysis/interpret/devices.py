"""The devices that tensors are on and are moved to."""

from __future__ import annotations

import re
from collections.abc import Iterable

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import device_hints
from memlint.analysis.traits import Trait
from memlint.analysis.values import SCALAR, Const, External, Kind, Scalar, Tensor, Unknown, Value

PLACE = Trait.GPU | Trait.CPU
CPU_DEVICE = "cpu device"
DATA_DEVICE = "device of data"
_ACCELERATED = frozenset("cuda xpu npu mps ipu hpu".split())


def place_of(values: Iterable[Tensor | Unknown]) -> Trait:
    """Where a result of several inputs lies: with those on an accelerator, if there are any."""
    united = [v.traits & PLACE for v in values]
    moved = [t for t in united if t & Trait.GPU]
    if moved:
        return Trait.GPU if Trait.GPU in moved else PLACE
    return Trait.CPU if Trait.CPU in united else Trait.NONE


def moved_to(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.Call) -> Trait | None:
    """Where a method moves its tensor or module; None when it moves nothing."""
    if name == "cpu" or name == "pin_memory":
        return Trait.CPU
    if name in _ACCELERATED:
        return Trait.GPU
    if name != "to":
        return None
    value = keywords.get("device", args[0] if args else None)
    if value is None:
        return None
    written = next((a.value for a in node.args if a.keyword is None or a.keyword.value == "device"), node)
    return device_named(value, machine.code(written)) or None


def device_of(tensor: Tensor) -> Value:
    """The device of a tensor as a value, `x.device`: that of data which nobody has moved is not known."""
    place = tensor.traits & PLACE
    if place == Trait.CPU:
        return Scalar(CPU_DEVICE)
    return SCALAR if place or tensor.kind >= Kind.MAYBE else Scalar(DATA_DEVICE)


def device_named(value: Value, code: str) -> Trait:
    """The place that a device argument names; nothing when it is a dtype."""
    if isinstance(value, Tensor):
        return value.traits & PLACE or Trait.GPU
    if (isinstance(value, External) and value.path != "torch.device") or value == Scalar(DATA_DEVICE):
        return Trait.NONE
    if re.search(r"dtype|torch\.(float|half|bfloat|int|long|double|bool)", code):
        return Trait.NONE
    if value in (Const("cpu"), Scalar(CPU_DEVICE)) or re.search(r"cpu", code, re.IGNORECASE):
        return Trait.CPU
    return PLACE if device_hints.SPARE_DEVICE.search(code) else Trait.GPU
