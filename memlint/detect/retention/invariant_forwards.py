"""Forward passes that see the same input in every iteration of a loop over data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs, over_loader
from memlint.analysis.values import Frame
from memlint.detect.retention.loop_bindings import values_bound
from memlint.detect.retention.varying_inputs import input_varies
from memlint.syntax.tree import words_in

# An exact Gaussian process is fitted to all of its data in every iteration.
_WHOLE_DATA = ("gpytorch", "botorch")
_LENGTH = re.compile(r"\blen\(\s*([\w.\[\]'\"]+)\s*\)")


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
    for word in words_in(source):
        bound = [v for v in values_bound(model, word, _scope_of(model, loop.frame)) if v is not None]
        if len(bound) == 1 and len(model.code(bound[0])) < 120:
            source += " " + model.code(bound[0])
    names = [n.rpartition(".")[2] for n in _LENGTH.findall(source)]
    return any(naming.role(n) == "loader" or hints.WHOLE_DATASET.search(n) for n in names)


def _scope_of(model: ScriptModel, frame: Frame) -> cst.CSTNode:
    return frame.node if isinstance(frame.node, cst.FunctionDef) else model.module
