"""Which forward passes give half precision."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Cast, Ref, options_of

_LOW = frozenset({"float16", "bfloat16", "default"})


def is_low(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward pass gives half precision: under autocast, or by a network that is converted."""
    open_casts = [*(r.cast for r in forward.regions[-1:]), *forward.inner]
    return any(map(lowers, open_casts)) or not forward.ids.isdisjoint(model.trace.half_outputs)


def runs_under_autocast(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node is code of a network that the file calls under autocast."""
    owner = model.class_of(node)
    calls = (f for f in model.trace.forwards.values() if f.regions and lowers(f.regions[-1].cast))
    objects = (o.obj for f in calls for o in options_of(f.module) if isinstance(o, Ref))
    return owner is not None and any(o.cls is not None and o.cls.node is owner for o in objects)


def lowers(cast: Cast) -> bool:
    """Whether an autocast context, if it is open, computes in half precision."""
    return cast.enabled is not False and cast.dtype in _LOW
