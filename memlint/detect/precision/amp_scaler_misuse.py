"""MEM303: float16 autocast without a GradScaler, or a GradScaler of which one call is missing."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule
from memlint.detect.precision.gradient_scales import Misuse, useless_scalers
from memlint.detect.precision.scaler_calls import misuses
from memlint.detect.precision.scaler_conditions import always_there
from memlint.detect.precision.scaler_fixes import (
    add_scaler,
    add_update,
    drop_step,
    scale_loss,
    step_by_scaler,
    update_always,
    update_with_step,
)
from memlint.detect.precision.scaler_unscale import add_unscale

_MANAGED = ("accelerate", "deepspeed", "lightning", "pytorch_lightning", "lightning_fabric", "fastai", "apex")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Each place where the sequence of scale, unscale, step and update is broken."""
    if model.imports(*_MANAGED):
        return
    seen: set[int] = set()
    for found in misuses(model):
        if id(found.event.node) in seen:
            continue
        seen.add(id(found.event.node))
        possible = found.how not in _USING or always_there(model, found.event.node, found.event)
        plan = _PLANS[found.how](model, found) if possible else None
        yield Match(
            found.event.node,
            _values(model, found),
            found.how,
            _labels(found),
            plans=(plan,) if plan is not None else (),
        )
    for scaler in useless_scalers(model):
        if scaler.node is not None and id(scaler.node) not in seen:
            seen.add(id(scaler.node))
            yield Match(scaler.node, {"call": model.short(scaler.node)}, "bfloat16")


def _values(model: ScriptModel, found: Misuse) -> dict[str, str]:
    return {
        "call": model.short(found.event.node),
        "optimizer": found.step.code if found.step is not None else "the optimizer",
        "scaler": found.scaler or "the scaler",
    }


def _labels(found: Misuse) -> tuple[Label, ...]:
    if found.step is None or found.step is found.event:
        backward = found.backward
        return (Label("here the loss is scaled", backward.node),) if backward is not None else ()
    return (Label("the step that uses these gradients", found.step.node),)


# --- fixes ----------------------------------------------------------------------------------------


_PLANS = {
    "default": step_by_scaler,
    "unscaled-backward": scale_loss,
    "no-update": add_update,
    "clip": add_unscale,
    "norm": add_unscale,
    "window": update_with_step,
    "unscaled": add_scaler,
    "twice": drop_step,
    "left-out": update_always,
}
_USING = ("default", "unscaled-backward")
"""Plans that call the scaler where the script does not: there must be one, whatever its flags are."""
