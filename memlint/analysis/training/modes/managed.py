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
    of evaluation beside a `training_step`, whatever the base class."""
    for active in frame.chain():
        owner = model.owner_class(active)
        if owner is None:
            continue
        steps = any(m.name.value == "training_step" for m in methods(owner)) or _leaves_backward(model, owner)
        if is_driven(model, owner) or (steps and lib.EVALUATION_HOOK.match(active.name)):
            return True
    return False


def _leaves_backward(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether a class with a base out of view has a `train_step` that gives a loss, and runs no backward: the
    framework that does so calls its other steps as well."""
    bases = [path for base in owner.bases if (path := model.path_of(base.value))]
    if all(path.startswith(("torch.", "builtins.", "abc.")) for path in bases):
        return False
    called = (last_name(call.func) for call in model.every(cst.Call, owner))
    return any(m.name.value == "train_step" for m in methods(owner)) and "backward" not in called
