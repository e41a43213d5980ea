"""Where the results of a forward pass are first used, above the functions that do nothing but return them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame


def handed_up(model: ScriptModel, forward: Forward) -> tuple[cst.CSTNode, list[Frame]]:
    """The expression that first does something with what a forward pass gives: `predict(x)` in `test`, where
    `predict` returns it; with the frames from the forward pass up to there."""
    site, frames = forward.node, [forward.frame]
    while isinstance(model.parent(site), cst.Return):
        frame = frames[-1]
        if frame.entry or frame.caller is None or frame.call is None or not model.owns(frame.call):
            break
        site = frame.call
        frames.append(frame.caller)
    return site, frames


def is_returned(model: ScriptModel, site: cst.CSTNode) -> bool:
    """Whether a call stands in a `return` statement."""
    return any(isinstance(above, cst.Return) for above in model.ancestors(site))
