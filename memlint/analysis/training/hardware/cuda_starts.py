"""What starts CUDA: the calls by which the driver reads its environment and a device gets its context."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.constants import given_to
from memlint.analysis.dataflow.execution_order import call_trace
from memlint.analysis.facts import Called
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import CUDA_STRING
from memlint.analysis.values import Const, Value
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import last_name

# is_available asks the runtime, which starts the driver; device_count asks NVML where it can.
_STARTS = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "is_available current_device set_device init get_device_name get_device_properties "
        "get_device_capability mem_get_info synchronize current_stream Stream is_bf16_supported "
        "amp.GradScaler get_arch_list"
    ).split()
) | frozenset(
    f"tensorflow.{name}"
    for name in (
        "config.list_physical_devices config.experimental.list_physical_devices config.list_logical_devices "
        "config.experimental.list_logical_devices test.is_gpu_available test.gpu_device_name "
        "config.get_visible_devices config.experimental.set_memory_growth"
    ).split()
)
_PERHAPS = frozenset({"torch.cuda.device_count"})


def starts(model: ScriptModel) -> Iterator[tuple[Called, bool]]:
    """The calls that start CUDA, in the order of execution, each with whether it does so for sure."""
    for event in call_trace(model):
        if event.path in _STARTS:
            yield event, True
        elif event.path in _PERHAPS:
            yield event, False
        elif puts_on_cuda(model, event):
            yield event, True


def puts_on_cuda(model: ScriptModel, event: Called) -> bool:
    """Whether a call visibly puts something on a CUDA device: `.cuda()`, `.to("cuda")`, `device="cuda"`."""
    if not isinstance(event.node, cst.Call):
        return False
    if event.path == ".cuda":
        return True
    if event.path == ".to":
        written = event.node.args[0].value if event.node.args else None
        return bool(event.args) and _is_cuda(model, event.args[0], written)
    device = event.keywords.get("device")
    if device is None or not event.path.startswith("torch.") or event.path.startswith("torch.cuda."):
        return False
    return _is_cuda(model, device, keyword(event.node, "device"))


def _is_cuda(model: ScriptModel, value: Value, written: cst.BaseExpression | None) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, str) and bool(CUDA_STRING.match(value.value))
    if isinstance(written, cst.Call):
        return _names_cuda(model, written)
    given = given_to(model, last_name(written)) if written is not None and last_name(written) else []
    return bool(given) and all(_names_cuda(model, value) for value in given)


def _names_cuda(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether an expression is a CUDA device: `torch.device("cuda:1")`, `"cuda" if ... else "cpu"`."""
    if isinstance(value, cst.Call) and value.args and model.names.one(value.func) == "torch.device":
        value = value.args[0].value
    if isinstance(value, cst.IfExp):
        value = value.body
    return isinstance(value, cst.SimpleString) and bool(CUDA_STRING.match(str(value.evaluated_value)))
