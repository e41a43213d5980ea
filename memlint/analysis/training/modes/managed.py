"""Code that a framework calls, which sees to the grad mode: methods of Lightning and of other trainers."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lightning import is_driven
from memlint.analysis.values import Frame
from memlint.syntax.tree import last_name, methods


def is_managed(model: ScriptModel, frame: Frame) -> bool:
    """Whether a framework calls this code: a method of a LightningModule, a Trainer, a Keras class, or a hook
    of evaluation beside a `training_step`, whatever the base class, unless a loop here calls it itself."""
    for active in frame.chain():
        owner = model.owner_class(active)
        if owner is None:
            continue
        steps = any(m.name.value == "training_step" for m in methods(owner)) or _leaves_backward(model, owner)
        hook = steps and lib.EVALUATION_HOOK.match(active.name) and not _is_called_here(model, active)
        if is_driven(model, owner) or hook:
            return True
    return False


def _is_called_here(model: ScriptModel, frame: Frame) -> bool:
    """Whether a hook is called by code of the project that is no method of the same object: a function, or a
    trainer of its own, whose grad mode is in view."""
    caller = frame.caller
    if caller is None or frame.call is None or frame.entry:
        return False
    owner = model.owner_class(caller)
    return owner is None or (caller.self_value != frame.self_value and not is_driven(model, owner))


def _leaves_backward(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether a class with a base out of view has a `train_step` that gives a loss, and runs no backward: the
    framework that does so calls its other steps as well."""
    bases = [path for base in owner.bases if (path := model.path_of(base.value))]
    if all(path.startswith(("torch.", "builtins.", "abc.")) for path in bases):
        return False
    called = (last_name(call.func) for call in model.every(cst.Call, owner))
    return any(m.name.value == "train_step" for m in methods(owner)) and "backward" not in called
