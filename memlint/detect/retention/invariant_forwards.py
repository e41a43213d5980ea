"""Forward passes that see the same input in every iteration of a loop over data."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import data_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.loops import is_epochs, over_loader
from memlint.analysis.values import Frame
from memlint.detect.retention.loop_bindings import values_bound
from memlint.detect.retention.varying_inputs import input_varies
from memlint.records import dataclass
from memlint.syntax.expressions import calls_in
from memlint.syntax.tree import last_name

# An exact Gaussian process is fitted to all of its data in every iteration.
_WHOLE_DATA = ("gpytorch", "botorch")


@dataclass(frozen=True, slots=True)
class Repeated:
    """The first forward pass of a training loop over data none of whose inputs change in it."""

    forward: Forward
    loop: Loop


def repeated(model: ScriptModel) -> Iterator[Repeated]:
    """The training loops over data in which no forward pass depends on the iteration."""
    if model.imports(*_WHOLE_DATA):
        return
    trace = model.trace
    loops = {b.loops[-1]: None for b in trace.backwards.values() if b.loops and b.fills and not b.unseen}
    seen: set[cst.CSTNode] = set()
    for loop in loops:
        if not isinstance(loop.node, cst.For) or loop.node in seen or not _runs_through_data(model, loop):
            continue
        backwards = [b for b in trace.backwards.values() if b.loops[-1:] == (loop,)]
        reached = model.trace.ancestors(frozenset().union(*(b.ids for b in backwards)))
        inside = [f for f in trace.forwards.values() if loop in f.loops]
        feeding = [f for f in inside if f.ids & reached]
        if feeding and not any(input_varies(model, f, loop) for f in inside):
            seen.add(loop.node)
            yield Repeated(feeding[0], loop)


def _runs_through_data(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop iterates a loader or counts up to the length of one or of a data set."""
    if is_epochs(loop):
        return False
    source = loop.source
    if "range(" not in source and over_loader(loop) and not source.endswith(("iters", "iterations")):
        return True
    lengths = (call for part in _read_in(model, loop) for call in calls_in(part, "len") if call.args)
    counted = [call.args[0].value for call in lengths]
    named = any(data_hints.WHOLE_DATASET.search(last_name(data)) for data in counted)
    return named or any(kind_of(model, data) == "loader" for data in counted)


def _read_in(model: ScriptModel, loop: Loop) -> list[cst.BaseExpression]:
    """What a loop goes through, and what the names in it are bound to, if each only once."""
    assert isinstance(loop.node, cst.For)
    words = model.names_in(loop.node.iter)
    scope = _scope_of(model, loop.frame)
    bound = ([v for v in values_bound(model, word, scope) if v is not None] for word in words)
    return [loop.node.iter, *(values[0] for values in bound if len(values) == 1)]


def _scope_of(model: ScriptModel, frame: Frame) -> cst.CSTNode:
    return frame.node if isinstance(frame.node, cst.FunctionDef) else model.module
