"""Where the results of a forward pass are first used, above the functions that do nothing but return them."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Frame
from memlint.syntax.tree import last_name

_HOOKS = frozenset({"register_forward_hook", "register_forward_pre_hook", "register_module_forward_hook"})
_CUTS = frozenset({"detach", "data", "cpu", "numpy", "item", "tolist"})


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


def is_taken_by_hooks(model: ScriptModel, function: cst.CSTNode) -> bool:
    """Whether a function hooks the layers of what it runs, and returns what the hooks took, graph and all."""
    if not isinstance(function, cst.FunctionDef):
        return False
    if not any(last_name(call.func) in _HOOKS for call in model.every(cst.Call, function)):
        return False
    gives = any(node.value is not None for node in model.every(cst.Return, function))
    return gives and not any(node.attr.value in _CUTS for node in model.every(cst.Attribute, function))
