"""Tensors that a training step makes on the host and copies to the GPU at once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import argument_source
from memlint.analysis.match import Change, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import placed
from memlint.finding import Applicability

_SAME = frozenset("zeros ones full empty arange".split())
_RANDOM = frozenset("rand randn randint randperm".split())
_STREAM = "random numbers come from the generator of the GPU, and differ from before"


def made_on_host(model: ScriptModel) -> Iterator[Match]:
    """`torch.zeros(n).cuda()` in a training step."""
    inside = _step_nodes(model)
    for call in model.names.calls if inside else ():
        made = call.func.value if isinstance(call.func, cst.Attribute) else None
        if not isinstance(made, cst.Call) or len(call.args) > 1 or placed(model, call) != "cuda":
            continue
        path = model.names.one(made.func)
        name = path.rpartition(".")[2]
        if path != f"torch.{name}" or name not in _SAME | _RANDOM:
            continue
        given = {a.keyword.value for a in made.args if a.keyword is not None}
        if given & {"device", "requires_grad", "pin_memory", "generator"} or any(a.star for a in made.args):
            continue
        if any(above in inside for above in model.ancestors(call)):
            yield Match(
                call, {"move": model.short(call)}, "host", plans=(_on_device_plan(model, call, made, name),)
            )


def _on_device_plan(model: ScriptModel, call: cst.Call, made: cst.Call, name: str) -> Plan:
    """`torch.zeros(n, device=device)` for `torch.zeros(n).to(device)`."""
    device = model.code(call.args[0].value) if call.args else '"cuda"'
    if call.args and isinstance(call.func, cst.Attribute) and call.func.attr.value == "cuda":
        device = f'f"cuda:{{{device}}}"'
    arguments = [argument_source(model, a) for a in made.args]
    text = f"{model.code(made.func)}({', '.join([*arguments, f'device={device}'])})"
    exact = name in _SAME and (name != "arange" or all(isinstance(a.value, cst.Integer) for a in made.args))
    change: Change = Replace(call, text)
    return Plan(
        Applicability.SAFE if exact else Applicability.UNSAFE,
        "make it on the device",
        (change,),
        "" if exact else _STREAM if name in _RANDOM else "floating point steps may be rounded differently",
    )


def _step_nodes(model: ScriptModel) -> set[cst.CSTNode]:
    """The loops around a backward, and the functions that run inside them."""
    found: set[cst.CSTNode] = set()
    for backward in model.trace.backwards.values():
        if backward.loops:
            loop = backward.loops[-1]
            found.add(loop.node)
            for frame in backward.frame.chain():
                if frame is loop.frame:
                    break
                found.add(frame.node)
    return found
