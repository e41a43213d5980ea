"""Whether a file only runs a model that it loads."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import over_loader
from memlint.analysis.values import Frame

_LOADS = frozenset("load_state_dict from_pretrained load_from_checkpoint load_model load_checkpoint".split())


def is_inference(model: ScriptModel, forward: Forward, loop: Loop, frames: list[Frame]) -> bool:
    """Whether a loop only uses a trained model: its name says so and plain numbers come out of it."""
    if _is_inference_script(model, forward) or _is_extraction(model, loop, frames):
        return True
    if not any(naming.infers(f.name) for f in frames) or any(naming.trains(f.name) for f in frames):
        return False
    scope = loop.frame.node if isinstance(loop.frame.node, cst.FunctionDef) else loop.node
    return bool(_PLAIN & {n.value for n in model.walk(scope) if isinstance(n, cst.Name)})


def _is_extraction(model: ScriptModel, loop: Loop, frames: list[Frame]) -> bool:
    """Whether a function named after what it takes out of a network goes through a loader and keeps what it
    takes for itself, in a file that trains nothing."""
    if model.trace.backwards or model.trace.steps or not over_loader(loop):
        return False
    if loop.frame.entry or any(naming.trains(f.name) for f in frames):
        return False
    return any(naming.extracts(f.name) for f in frames)


_PLAIN = frozenset(["detach", "numpy", "item", "argmax", "tolist", "topk", "multinomial", "decode"])


def _is_inference_script(model: ScriptModel, forward: Forward) -> bool:
    """Whether the whole file only runs a trained model: weights are loaded, nothing is trained."""
    if (
        model.trace.backwards
        or model.trace.steps
        or (forward.frame.entry and forward.frame.caller is not None)
    ):
        return False
    return bool(_LOADS & model.identifiers) and not any(naming.trains(f.name) for f in forward.frame.chain())
