"""What the training of another network shows of its results: whether they carry a graph, and whether a
backward goes through them for nothing."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.execution_order import in_one_step, program_point
from memlint.analysis.facts import Backward, Forward, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import is_handed_out
from memlint.analysis.values import Obj
from memlint.detect.grad_mode.optimizer_networks import runs_one_of
from memlint.records import dataclass
from memlint.syntax.tree import last_name


@dataclass(frozen=True, slots=True)
class Training:
    """What the optimizers of a file own, their steps, and the backwards that feed each by its identity."""

    owned: dict[Obj, frozenset[int]]
    steps: list[Step]
    fed: dict[int, list[Backward]]

    def of(self, model: ScriptModel, forward: Forward) -> list[Step]:
        """The steps of the optimizers that train the network of a forward pass."""
        return [s for s in self.steps if runs_one_of(model, forward, self.owned[s.optimizer])]


def trains_alike(model: ScriptModel, source: Forward, known: Training) -> bool:
    """Whether the network of a method out of view learns through the same method elsewhere: there it neither
    runs under no_grad nor detaches what it gives."""
    alike = [f for f in model.trace.forwards.values() if f.node is not source.node and _is_alike(f, source)]
    learnt = [b for s in known.of(model, source) for b in known.fed[id(s)]]
    return any(f.ids & model.trace.ancestors(b.ids) for f in alike for b in learnt)


def _is_alike(one: Forward, other: Forward) -> bool:
    """Whether two forward passes call the same method of the same network."""
    calls = [f.node.func for f in (one, other) if isinstance(f.node, cst.Call)]
    return len(calls) == 2 and one.module == other.module and last_name(calls[0]) == last_name(calls[1])


def is_only_a_target(model: ScriptModel, backward: Backward, source: Forward, known: Training) -> bool:
    """Whether nothing but this backward goes through a result, and the gradients that it leaves in the
    network of the result are cleared before that network's own step."""
    trace, own_steps = model.trace, known.of(model, source)
    if is_handed_out(model, source.ids) or not own_steps:
        return False
    others = (b for b in trace.backwards.values() if b.node is not backward.node)
    if any(source.ids & trace.ancestors(b.ids) for b in others):
        return False
    reached = trace.ancestors(backward.ids)
    passes = [f for f in trace.forwards.values() if f.module == source.module and f.ids & reached]
    if any(f.node is not source.node for f in passes):
        return False  # it also judges what the trained network makes, and compares: a relativistic loss
    zeros = list(trace.zeros.values())
    for step in own_steps:
        cleared = (z for z in zeros if z.target is not None and _clears(z.target, step, known))
        place = program_point(model, step)
        if not any(program_point(model, z) < place and in_one_step(z, step) for z in cleared):
            return False
    return True


def _clears(target: Obj, step: Step, known: Training) -> bool:
    return target is step.optimizer or target.id in known.owned[step.optimizer]
