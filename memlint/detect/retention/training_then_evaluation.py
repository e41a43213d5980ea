"""Training loops and the evaluations that follow them."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.execution_order import program_point
from memlint.analysis.facts import Backward, Forward, Loop, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_differentiated
from memlint.analysis.training.loops import evaluates, in_training, over_batches
from memlint.analysis.training.sizing.outputs import gradient_size
from memlint.analysis.values import Ref, options_of
from memlint.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A training loop with its backward and step, and a forward of the evaluation that follows it."""

    loop: Loop
    backward: Backward
    step: Step
    evaluation: Forward


def pairs(model: ScriptModel) -> Iterator[Pair]:
    """The training loops after which the same module is evaluated."""
    trace = model.trace
    evaluations = [f for f in trace.forwards.values() if _is_evaluation(model, f)]
    for step in trace.steps.values():
        if not step.loops:
            continue
        loop = step.loops[-1]
        backward = next((b for b in trace.backwards.values() if b.fills and loop in b.loops), None)
        if backward is None or not in_training(trace, backward):
            continue
        forwards = (f for f in trace.forwards.values() if loop in f.loops)
        trained = {f.module for f in forwards if is_differentiated(model, f.ids)}
        for evaluation in evaluations:
            if (
                evaluation.module in trained
                and loop not in evaluation.loops
                and _follows(model, evaluation, step)
            ):
                yield Pair(loop, backward, step, evaluation)
                break


def leaves_much(model: ScriptModel, pair: Pair) -> bool:
    """Whether the gradients that the training leaves are worth a word."""
    modules = [o.obj for o in options_of(pair.evaluation.module) if isinstance(o, Ref)]
    return any(gradient_size(model, obj).matters for obj in modules)


def _is_evaluation(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward is that of a loop over batches which trains nothing."""
    loops = [x for x in forward.loops if over_batches(model.trace, x)]
    if not loops or any(loops[-1] in b.loops for b in model.trace.backwards.values()):
        return False
    return forward.grad == "off" or forward.evaluating or bool(evaluates(loops[-1], forward.frame.chain()))


def _follows(model: ScriptModel, forward: Forward, step: Step) -> bool:
    """Whether an evaluation comes after a training step: later in the file's order, or around again."""
    shared = [x for x in step.loops if x in forward.loops]
    return bool(shared) or program_point(model, forward) > program_point(model, step)
