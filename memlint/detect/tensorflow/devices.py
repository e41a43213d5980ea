"""Calls that set how TensorFlow takes GPU memory, and the devices that they speak of."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import last
from memlint.records import dataclass
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

LISTS = ("tf.config.list_physical_devices", "tf.config.experimental.list_physical_devices",
         "tf.config.get_visible_devices", "tf.config.experimental.get_visible_devices")  # fmt: skip
GROWTH = ("tf.config.experimental.set_memory_growth",)
LIMITS = (
    "tf.config.set_logical_device_configuration",
    "tf.config.experimental.set_virtual_device_configuration",
)
VISIBLE = ("tf.config.set_visible_devices", "tf.config.experimental.set_visible_devices")
SETTINGS = frozenset({*GROWTH, *LIMITS, *VISIBLE})
INFO = ("tf.config.experimental.get_memory_info", "tf.config.experimental.reset_memory_stats")


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """A physical device in the code.

    how: "each" (the variable of a loop over `listed`), "index" (`listed[n]`) or "list" (`listed` itself).
    """

    how: str
    listed: cst.Call
    index: str = ""
    number: cst.CSTNode | None = None

    @property
    def kind(self) -> str:
        """What the list is of: "GPU", "CPU" or "" for all devices."""
        for arg in self.listed.args:
            text = arg.value
            if isinstance(text, cst.SimpleString):
                return str(text.evaluated_value).upper()
        return ""

    def meets(self, other: Device) -> bool:
        """Whether the two may be one device."""
        if self.kind != other.kind and self.kind and other.kind:
            return False
        return self.how != "index" or other.how != "index" or self.index == other.index


def device(flow: Flow, node: cst.BaseExpression | None) -> Device | None:
    """The physical device that an expression stands for."""
    if node is None:
        return None
    for source in flow.sources(node):
        if isinstance(source, cst.Subscript):
            listed = _listed(flow, source.value)
            if listed is not None:
                return Device("index", listed, flow.model.code(source.slice[0].slice))
        elif isinstance(source, cst.Call):
            if flow.api(source.func) in LISTS:
                return Device("list", source)
        else:
            found = _element(flow, source)
            if found is not None:
                return found
    return None


def _element(flow: Flow, node: cst.CSTNode) -> Device | None:
    """The device that a loop over a list of them gives."""
    for d in flow.definitions(node):
        if d.kind == "each":
            listed = _listed(flow, d.node)
            if listed is not None:
                return Device("each", listed)
        if d.kind == "each item" and d.index == 1 and isinstance(d.node, cst.Call) and d.node.args:
            listed = _listed(flow, d.node.args[0].value)
            if listed is not None and dotted(d.node.func) == "enumerate":
                return Device("each", listed, number=_counter(flow, d.node))
    return None


def _counter(flow: Flow, iterated: cst.CSTNode) -> cst.CSTNode | None:
    loop = flow.model.parent(iterated)
    target = loop.target if isinstance(loop, (cst.For, cst.CompFor)) else None
    if not isinstance(iterated, cst.Call) or len(iterated.args) > 1:
        return None  # enumerate(gpus, 1) counts from another number than the devices do
    return target.elements[0].value if isinstance(target, cst.Tuple) else None


def _listed(flow: Flow, node: cst.CSTNode) -> cst.Call | None:
    if isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Slice):
        node = node.value
    for source in flow.sources(node):
        if isinstance(source, cst.Call) and flow.api(source.func) in LISTS:
            return source
    return None


def is_on(call: cst.Call) -> bool:
    """Whether a call of set_memory_growth switches growth on."""
    value = argument(call, 1, "enable")
    return value is not None and dotted(value) == "True"


def mentions(flow: Flow, apis: Iterable[str]) -> bool:
    """Whether a file, or what it calls in other files, calls one of these."""
    return bool(flow.calls_of(*apis)) or any(flow.graph.named_in_other_modules(last(api)) for api in apis)
