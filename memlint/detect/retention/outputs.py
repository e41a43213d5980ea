"""Which local names still hold the output of a forward pass while the backward of its loss runs.

A backward needs what the operations saved, not the output that the loss was computed from, unless the last
operation of the module, or the loss itself, saved just that.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Backward, Criterion, Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import in_training
from memlint.analysis.training.sizing.last_layers import bound_call, called_name, last_layer, saves_output
from memlint.analysis.values import Ref
from memlint.detect.retention.module_losses import through_results
from memlint.detect.retention.output_holders import Alive, held_by_names

_LOG_SOFTMAX = frozenset({"log_softmax", "LogSoftmax", "logsoftmax"})
_SIGMOID = frozenset({"sigmoid", "Sigmoid"})


def alive_outputs(model: ScriptModel) -> Iterator[Alive]:
    """Every such output once: at the first place where a loss takes it."""
    seen: set[tuple[cst.CSTNode, tuple[str, ...]]] = set()
    for backward in model.trace.backwards.values():
        if not backward.fills or backward.unseen or not in_training(model.trace, backward):
            continue
        for found in (*_through_criteria(model, backward), *through_results(model, backward)):
            if (found.forward.node, found.names) not in seen:
                seen.add((found.forward.node, found.names))
                yield found


def _through_criteria(model: ScriptModel, backward: Backward) -> Iterator[Alive]:
    """Outputs from which the script computes a loss that does not save them."""
    machine = model.machine
    reached = machine.trace.ancestors(backward.ids)
    criteria = [c for c in model.trace.criteria.values() if c.ids & reached]
    saved = {n for c in criteria if not _unsaved_inputs(model, c) for n in c.given}
    for criterion in criteria:
        inputs = _unsaved_inputs(model, criterion) - saved
        sources = machine.trace.ancestors(inputs, lightweight_only=True)
        forward = _made_by(model, sources)
        if forward is None or saves_output(model, forward) or not _may_be_unsaved(model, criterion, forward):
            continue
        found = held_by_names(model, backward, sources, forward, criterion.node)
        if found is not None and not _is_needed_again(model, backward, sources):
            yield found


def _unsaved_inputs(model: ScriptModel, criterion: Criterion) -> frozenset[int]:
    """The identities of what a loss was computed from and does not save; none for losses that save it."""
    name = criterion.path.rpartition(".")[2]
    if name in ("cross_entropy", "CrossEntropyLoss", "l1_loss", "L1Loss"):
        return criterion.inputs
    wrapped = {
        "nll_loss": _LOG_SOFTMAX,
        "NLLLoss": _LOG_SOFTMAX,
        "binary_cross_entropy": _SIGMOID,
        "BCELoss": _SIGMOID,
    }
    if name not in wrapped or not isinstance(criterion.node, cst.Call) or not criterion.node.args:
        return frozenset()
    call = bound_call(model, criterion.node.args[0].value)
    if call is None or called_name(model, call) not in wrapped[name]:
        return frozenset()
    parents = model.trace.parents
    return frozenset().union(*(parents.get(n, frozenset()) for n in criterion.inputs))


def _may_be_unsaved(model: ScriptModel, criterion: Criterion, forward: Forward) -> bool:
    """Logits rarely leave through an operation that saves them; images and regressions often do."""
    if not criterion.path.endswith(("l1_loss", "L1Loss")):
        return True
    obj = forward.module.obj if isinstance(forward.module, Ref) else None
    return obj is not None and last_layer(model, obj).startswith(("torch.nn.Linear", "torch.nn.Conv"))


def _made_by(model: ScriptModel, sources: set[int]) -> Forward | None:
    """The forward pass that made one of these values."""
    for forward in model.trace.forwards.values():
        if forward.recorded and forward.grad != "off" and forward.ids & sources:
            return forward
    return None


def _is_needed_again(model: ScriptModel, backward: Backward, sources: set[int]) -> bool:
    """Whether a later backward runs through the same output."""
    rank, later = model.positions, model.trace.descendants(sources)
    return any(
        rank[other.node] > rank[backward.node] and not other.ids.isdisjoint(later)
        for other in model.trace.backwards.values()
    )
