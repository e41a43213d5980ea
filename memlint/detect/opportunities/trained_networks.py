"""Which files define networks that are trained on a GPU."""

from __future__ import annotations

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import may_use_cuda

_TRAINS = frozenset({
    "cross_entropy", "CrossEntropyLoss", "configure_optimizers", "training_step", "Dropout",
})  # fmt: skip
"""Names in a file that only defines a network, by which it is one to be trained."""


def may_train(model: ScriptModel) -> bool:
    """Whether the file trains on a GPU, or defines a network that another file may train on one."""
    if model.trace.backwards:
        return may_use_cuda(model)
    return bool(model.identifiers & _TRAINS) or model.is_trained_elsewhere
