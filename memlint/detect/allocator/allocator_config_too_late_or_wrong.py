"""MEM502: the allocator's configuration comes after torch has read it, or cannot be parsed."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.execution_order import call_trace, ran_before
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.cuda_starts import puts_on_cuda, starts
from memlint.analysis.training.hardware.environment import (
    Setting,
    first_import,
    hoisted,
    imports_torch,
    inherited,
    settings,
)
from memlint.catalogue import Rule
from memlint.detect.allocator.allocator_options import problem_of
from memlint.finding import Applicability

_CONFIGURES = frozenset({"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"})
_EFFECT = "the setting then has its effect: CUDA tensors may not be shared, or another allocator is used"
_DEFAULT = "what sets the variable in between then no longer comes first"
_NAMES = _CONFIGURES | {"PYTORCH_NO_CUDA_MEMORY_CACHING"}


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Settings of the allocator that torch does not see, or does not understand."""
    for setting in settings(model):
        if setting.name not in _NAMES:
            continue
        given = constant(model, setting.value) if setting.name in _CONFIGURES else None
        problem = problem_of(given) if isinstance(given, str) else ""
        if problem:
            yield Match(setting.node, {"name": setting.name, "problem": problem}, "value")
        elif not (inherited(model, setting) or _is_set_at_run_time(model, setting)):
            yield from _late(model, setting)


def _late(model: ScriptModel, setting: Setting) -> Iterator[Match]:
    """A setting that comes after the allocator has been used, or after torch has been imported."""
    plan = _plan(model, setting)
    plans = (plan,) if plan is not None else ()
    for event, sure in starts(model):
        allocates = puts_on_cuda(model, event) or event.path in _ALLOCATORS
        if sure and allocates and ran_before(model, event, setting.event) == "yes":
            values = {"name": setting.name, "start": model.short(event.node, 32)}
            yield Match(setting.node, values, "default", (Label("first use", event.node),), plans=plans)
            return
    for event in call_trace(model):
        if imports_torch(event) and ran_before(model, event, setting.event) == "yes":
            values = {"name": setting.name, "start": event.path}
            yield Match(setting.node, values, "import", (Label("torch is loaded", event.node),), plans=plans)
            return


def _is_set_at_run_time(model: ScriptModel, setting: Setting) -> bool:
    """Whether the same function tells torch itself: the variable is for processes to come then."""
    function = model.function_of(setting.node)
    return function is not None and not _SETTERS.isdisjoint(model.names_in(function))


_SETTERS = frozenset({"_set_allocator_settings", "_accelerator_setAllocatorSettings"})
"""What reads settings of the allocator again (torch 2.13: `torch.cuda.memory`, `torch._C`)."""

_ALLOCATORS = frozenset({"torch.cuda.init", "torch.cuda.synchronize", "torch.cuda.mem_get_info"})


def _plan(model: ScriptModel, setting: Setting) -> Plan | None:
    changes = hoisted(model, setting, first_import(model))
    if changes is None:
        return None
    value = setting.literal or ""
    shared = "multiprocessing" in model.text or "share_memory_" in model.identifiers
    if not setting.firm:
        return Plan(Applicability.UNSAFE, "set it before torch is imported", changes, _DEFAULT)
    switched = setting.name not in _CONFIGURES or "backend:" in value
    if switched or ("expandable_segments" in value and shared):
        return Plan(Applicability.UNSAFE, "set it before torch is imported", changes, _EFFECT)
    return Plan(Applicability.SAFE, "set it before torch is imported", changes)
