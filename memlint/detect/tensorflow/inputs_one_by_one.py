"""Loops whose passes each bring one input or batch."""

from __future__ import annotations

import re
from collections.abc import Iterable

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.knowledge import data_hints, hints
from memlint.analysis.tensorflow.flow import Flow, Loops
from memlint.analysis.tensorflow.repeats import bound_by, is_short, runs_in_each_pass
from memlint.detect.tensorflow.models_of_passes import makes_its_model
from memlint.detect.tensorflow.single_inputs import is_single_input
from memlint.syntax.arguments import parameters
from memlint.syntax.expressions import calls_in, takes_remainder
from memlint.syntax.tree import dotted, last_name

_STEPS = ("step", "read", "recv", "get_frame")
_WORDS = re.compile(r"\.split\(\s*(['\"][^'\"]*['\"])?\s*\)")


def per_item(
    flow: Flow, call: cst.Call, owner: cst.BaseExpression, given: cst.BaseExpression
) -> LoopNode | None:
    """The loop whose passes each predict one input; None where they are folds, epochs or data sets."""
    single = is_single_input(flow, given)
    for run in flow.runs(call):
        for loop in reversed(run):
            if is_short(flow, loop) or makes_its_model(flow, owner, loop) or _is_now_and_then(flow, call):
                continue
            if (
                _trains_by_batch(flow, call, run, loop)
                or _steps(flow, loop)
                or (single and not _over_sets(flow, loop, single))
            ):
                return loop
            if loop in flow.loops(call) and bound_by(flow, given, loop) and _over_items(flow, loop):
                return loop
    return _handed_to_player(flow, call, owner, given)


def _is_now_and_then(flow: Flow, call: cst.Call) -> bool:
    """Whether a call waits for each nth pass: `if step % 100 == 0: show(model.predict(samples))`."""
    tests = (above.test for above in flow.model.ancestors(call) if isinstance(above, cst.If))
    return any(map(takes_remainder, tests))


def _handed_to_player(
    flow: Flow, call: cst.Call, owner: cst.BaseExpression, given: cst.BaseExpression
) -> LoopNode | None:
    """The loop that hands the function around a call to code which plays with it: `play_round(policy)`."""
    function = flow.model.function_of(call)
    if function is None or dotted(given) not in parameters(function):
        return None
    for name in flow.model.names.every(cst.Name):
        argument = flow.model.parent(name)
        handed = flow.model.parent(argument) if isinstance(argument, cst.Arg) else None
        if name.value != function.name.value or not isinstance(handed, cst.Call):
            continue
        plays = hints.PLAYS.search(last_name(handed.func)) and definition(flow.model, name) is function
        for loop in reversed(flow.loops(handed)) if plays else ():
            if not (is_short(flow, loop) or _over_sets(flow, loop) or makes_its_model(flow, owner, loop)):
                return loop
    return None


def _plays(loop: LoopNode) -> bool:
    body = loop.body if isinstance(loop, (cst.For, cst.While)) else None
    return body is not None and any(isinstance(c.func, cst.Attribute) for c in calls_in(body, *_STEPS))


def _steps(flow: Flow, loop: LoopNode) -> bool:
    """Whether a loop plays an environment or reads a stream."""
    return _plays(loop) and not _over_sets(flow, loop)


def _trains_by_batch(flow: Flow, call: cst.Call, run: Loops, loop: LoopNode) -> bool:
    """Whether a loop right around a call, or around that of its function, trains on one batch a pass."""
    steps = [step for step in flow.named("train_on_batch") if _ends_in(flow.runs(step), loop)]
    if run[-1:] != (loop,) or not steps:
        return False
    function = flow.model.function_of(call)
    beside = function is not None and any(flow.model.function_of(step) is function for step in steps)
    return beside or loop in flow.loops(call) or runs_in_each_pass(flow, call, loop)


def _ends_in(runs: Iterable[Loops], loop: LoopNode) -> bool:
    return any(around[-1:] == (loop,) for around in runs)


def _over_sets(flow: Flow, loop: LoopNode, single: bool = False) -> bool:
    """Whether the passes of a loop are epochs, folds or trials; what is called name is a `single` input's,
    or that of a file, not of a model or a data set."""
    if not isinstance(loop, (cst.For, cst.CompFor)):
        return False
    target = flow.model.code(loop.target)
    if single or any(calls_in(loop.iter, *_LISTS_FILES)):
        target = _NAMES.sub("", target)
    header = f"{target} {flow.model.code(loop.iter)}"
    return bool(data_hints.WHOLE_SETS.search(_WORDS.sub("", header)))


_LISTS_FILES = ("listdir", "glob", "iglob", "rglob", "iterdir", "scandir")
_NAMES = re.compile(r"names?\b")


def _over_items(flow: Flow, loop: LoopNode) -> bool:
    if isinstance(loop, cst.While):
        return True
    parts = (*flow.model.walk(loop.target), *flow.model.walk(loop.iter))
    names = [n.value for n in parts if type(n) is cst.Name]
    counts = isinstance(loop.iter, cst.Call) and dotted(loop.iter.func) == "range"
    stepped = counts and len(cst.ensure_type(loop.iter, cst.Call).args) == 3
    return (stepped or any(data_hints.SINGLE_ITEMS.search(n) for n in names)) and not _over_sets(flow, loop)
