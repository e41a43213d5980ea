"""Cross-entropies over the outputs of a last layer that has one for each word of a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.constants import integer_of
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import size_hints
from memlint.analysis.model import ScriptModel
from memlint.detect.opportunities.callers_of_networks import is_read_beside_loss, is_returned
from memlint.records import dataclass
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import speaks_of

CLASSES = 8192
"""Outputs of a layer from which they are worth not to be kept: 32 KiB for each row."""

_FUNCTION = "torch.nn.functional.cross_entropy"
_CRITERION = "torch.nn.CrossEntropyLoss"
_LINEAR = "torch.nn.Linear"
_SHAPES = frozenset("view reshape flatten contiguous transpose permute float".split())
_MOVES = frozenset("cuda to train requires_grad_ float half bfloat16".split())


@dataclass(frozen=True, slots=True, eq=False)
class VocabularyLoss:
    """`call` is the loss, `options` the call that has its options, `head` that of the last layer.

    Where the logits have a name, `line` gives it to them; `returned` says that the function hands them on.
    """

    call: cst.Call
    options: cst.Call
    head: cst.Call
    line: cst.Assign | None
    returned: bool


def vocabulary_losses(model: ScriptModel) -> Iterator[VocabularyLoss]:
    """The losses whose logits nothing else reads."""
    for call in model.names.calls:
        options = _options(model, call)
        given = argument(call, 0, "input") if options is not None else None
        if options is None or given is None:
            continue
        given = _without(given, _SHAPES)
        made = reaching_values(model, given) if isinstance(given, cst.Name) else [given]
        head = made[0] if len(made) == 1 else None
        if not isinstance(head, cst.Call) or not _gives_words(model, head):
            continue
        line = model.parent(head) if head is not given else None
        if line is None:
            yield VocabularyLoss(call, options, head, None, returned=False)
            continue
        uses = _uses(model, line, call) if isinstance(line, cst.Assign) else None
        if not isinstance(line, cst.Assign) or uses is None:
            continue
        if not any(is_read_beside_loss(model, line, use) for use in uses):
            yield VocabularyLoss(call, options, head, line, returned=bool(uses))


def _options(model: ScriptModel, call: cst.Call) -> cst.Call | None:
    """The call that holds the options of a cross-entropy; None for any other call."""
    if model.path_of(call.func) == _FUNCTION:
        return call
    if not model.names.references(_CRITERION) or len(call.args) != 2 or model.path_of(call.func):
        return None
    made = [source.node for source in value_sources(model, call.func)]
    (only,) = made if len(made) == 1 else (None,)
    return only if isinstance(only, cst.Call) and model.path_of(only.func) == _CRITERION else None


def _without(node: cst.BaseExpression, methods: frozenset[str]) -> cst.BaseExpression:
    """What such methods were called on, one after the other."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value not in methods:
            break
        node = node.func.value
    return node


def _gives_words(model: ScriptModel, head: cst.Call) -> bool:
    """Whether a call runs a linear layer with an output for each word of a vocabulary."""
    if len(head.args) != 1 or head.args[0].keyword is not None or head.args[0].star:
        return False
    rows = head.args[0].value
    if isinstance(rows, cst.Subscript) and not all(isinstance(e.slice, cst.Slice) for e in rows.slice):
        return False  # those that a mask picks are few
    found = [source.node for source in value_sources(model, head.func)]
    made = [_without(node, _MOVES) if isinstance(node, cst.Call) else node for node in found]
    return bool(made) and all(isinstance(node, cst.Call) and _is_wide(model, node) for node in made)


def _is_wide(model: ScriptModel, layer: cst.Call) -> bool:
    width = argument(layer, 1, "out_features") if model.path_of(layer.func) == _LINEAR else None
    if width is None:
        return False
    known = integer_of(model, width)
    return known >= CLASSES if known is not None else speaks_of(width, size_hints.VOCABULARY)


def _uses(model: ScriptModel, line: cst.Assign, loss: cst.Call) -> list[cst.Name] | None:
    """Where logits are returned; None where anything but the loss reads them."""
    target = line.targets[0].target if len(line.targets) == 1 else None
    found = variable(model, target, target.value) if isinstance(target, cst.Name) else None
    statement = model.statement_of(line)
    if found is None or found.captured or statement is None:
        return None
    reads = [read for read in found.reads_after(statement) if loss not in model.ancestors(read)]
    return reads if all(is_returned(model, read) for read in reads) else None
