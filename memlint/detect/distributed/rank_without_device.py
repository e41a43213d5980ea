"""MEM602: the ranks of a distributed script all work on the first GPU, or open a context there."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.execution_order import ran_before
from memlint.analysis.dataflow.import_statements import torch_name
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import device_hints
from memlint.analysis.match import InsertAfter, Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import wraps_ddp
from memlint.analysis.training.hardware.ranks import (
    Bare,
    bare_uses,
    is_managed,
    is_on_host,
    is_optional,
    joins,
    sets_device,
)
from memlint.catalogue import Rule
from memlint.detect.distributed.local_rank import local_rank
from memlint.finding import Applicability
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import speaks_of

_CAUTION = "each rank then works on its own GPU, as far as the launcher sets LOCAL_RANK"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Ranks that take the current device without having set it."""
    groups = joins(model)
    if not groups or is_managed(model):
        return
    setters = sets_device(model)
    uses = list(bare_uses(model, groups))
    if setters:
        early = next((u for u in uses if u.touches and _is_early(model, u, setters)), None)
        if early is not None:
            label = Label("set only here", setters[0].node)
            yield Match(early.node, {"use": model.short(early.node)}, "late", (label,))
    elif uses:
        yield _bare(model, groups, uses)
    elif _is_indexed(model) and not all(is_on_host(model, g) for g in groups):
        yield Match(groups[0].node, {"use": model.short(groups[0].node)}, "indexed")


def _is_early(model: ScriptModel, use: Bare, setters: list[Called]) -> bool:
    """Whether a use of the device surely comes before every call that sets it."""
    return all(ran_before(model, use.event, setter) == "yes" for setter in setters)


def _bare(model: ScriptModel, groups: list[Called], uses: list[Bare]) -> Match:
    """The match for the first use of CUDA that names no device, once for the file."""
    # Something put on the device says more than a device that is only named, if that comes first anyway.
    use = uses[0]
    plan = _plan(model, groups, uses)
    unsure = all(is_on_host(model, g) for g in groups) or is_optional(model, groups)
    variant = "unsure" if unsure or "SLURM_" in model.text else "default"
    return Match(
        use.node,
        {"use": model.short(use.node)},
        variant,
        (Label("every rank comes here", groups[0].node),),
        plans=(plan,) if plan is not None else (),
    )


def _is_indexed(model: ScriptModel) -> bool:
    """Whether modules are wrapped for a device of the rank's own, by an index."""
    return any(
        (devices := keyword(call, "device_ids")) is not None and speaks_of(devices, device_hints.DEVICE_INDEX)
        for call in wraps_ddp(model)
        if isinstance(call, cst.Call)
    )


def _plan(model: ScriptModel, groups: list[Called], uses: list[Bare]) -> Plan | None:
    """Set the device right after joining, where the file reads LOCAL_RANK already."""
    (group, *others) = groups
    line = model.own_statement_of(group.node)
    if others or line is None or any(use.device.endswith(("0", "0)")) for use in uses):
        return None
    if any(use.touches and ran_before(model, use.event, group) != "no" for use in uses):
        return None
    torch, rank = torch_name(model, group.node), local_rank(model, group.node)
    if not torch or not rank or isinstance(line, cst.BaseCompoundStatement):
        return None
    code = f"{torch}.cuda.set_device({rank})"
    # Who asks whether there is a GPU runs without one as well.
    asks = "is_available" in model.identifiers
    lines = f"if {torch}.cuda.is_available():\n    {code}" if asks else code
    return Plan(Applicability.UNSAFE, f"add `{code}`", (InsertAfter(line, lines),), _CAUTION)
