"""How often something runs: in which loop over batches, and on which of its iterations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, early_exits
from memlint.analysis.dataflow.settings import integer_of
from memlint.analysis.facts import Event, Loop, Trace
from memlint.analysis.knowledge import naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs, is_micro_loop, over_batches, over_loader
from memlint.syntax.tree import is_main_guard

_ALWAYS = re.compile(
    r"cuda|is_(\w+_)?available|[gxn]pu|\bmps\b|device|\b(phase|mode|split|stage|train|training|is_train|do_train)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"(mem_|memory|reserved|alloc|percent|usage|utili[sz]ation|\boom\b|free|threshold|total)", re.IGNORECASE
)
_LAST = re.compile(r"len\(|\blast|_end\b|end_of", re.IGNORECASE)
_WINDOW = re.compile(r"(?<!eval_)accum|acc_step|micro|window|update_(freq|every|interval)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cadence:
    """That something runs in a loop over batches, on every `step`-th iteration (0: once for each window).

    `through` are the loop statement and the functions on the way from it.
    """

    loop: Loop
    step: int
    through: tuple[cst.CSTNode, ...]

    def in_words(self) -> str:
        """`on every iteration`, `on every 4th iteration`, `in every accumulation window`."""
        if self.step == 0:
            return "in every accumulation window"
        return "on every iteration" if self.step == 1 else f"on every {_ordinal(self.step)} iteration"


def _ordinal(number: int) -> str:
    if number == 2:
        return "second"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


@cached
def batch_loops(model: ScriptModel) -> dict[Loop, str]:
    """The loops each of whose iterations is one step: "training", or one forward pass: "evaluation"."""
    return dict(_batch_loops(model))


def _batch_loops(model: ScriptModel) -> Iterator[tuple[Loop, str]]:
    trace = model.trace
    backwards = [b for b in trace.backwards.values() if b.loops and not b.unseen]
    for forward in trace.forwards.values():
        for loop in reversed(forward.loops):
            direct = loop is forward.loops[-1] and _is_evaluation(trace, loop, forward.grad == "off")
            if (direct or over_loader(loop)) and not any(loop in b.loops for b in backwards):
                yield loop, "evaluation"
    for backward in backwards:
        for loop in reversed(backward.loops):
            yield loop, "training"
            if not is_micro_loop(trace, loop, backward.loops):
                break


def _is_evaluation(trace: Trace, loop: Loop, without_gradients: bool) -> bool:
    """Whether a loop with a forward pass, though over no loader, is one of a script or an evaluation."""
    if not over_batches(trace, loop) or is_epochs(loop):
        return False
    name = loop.frame.name
    return (
        without_gradients or name in ("<module>", "main") or naming.evaluates(name) or naming.infers(name)
    )


def cadence_of(model: ScriptModel, event: Event) -> Cadence | None:
    """On which iterations of a loop over batches an event happens; None when that is rare or unknown."""
    if not event.loops or event.loops[-1] not in batch_loops(model):
        return None
    loop = event.loops[-1]
    step = 1
    node: cst.CSTNode | None = event.node
    through: list[cst.CSTNode] = []
    for frame in event.frame.chain():
        if node is None:
            return None
        top = loop.node if frame is loop.frame else frame.node
        share = share_of(model, node, top)
        if share is None:
            return None
        step = share if step == 1 else step * share
        through.append(top)
        if frame is loop.frame:
            return Cadence(loop, step, tuple(through))
        node = frame.call
    return None


def share_of(model: ScriptModel, node: cst.CSTNode, top: cst.CSTNode) -> int | None:
    """Of the runs of `top`, every which one runs `node`: 1 for all, 0 for windows, None where unknown."""
    step = 1
    below = node
    for above in model.ancestors(node):
        share: int | None = 1
        if isinstance(above, (cst.If, cst.IfExp)):
            share = 1 if below is above.test else _branch(model, above, below)
        elif isinstance(above, (cst.ExceptHandler, cst.MatchCase)):
            share = None
        elif isinstance(above, (cst.IndentedBlock, cst.Module)):
            share = _skipped_above(model, above, below)
        if share is None:
            return None
        step = share if step == 1 else step * share
        if above is top:
            return step
        below = above
    return step


def _branch(model: ScriptModel, above: cst.If | cst.IfExp, below: cst.CSTNode) -> int | None:
    if isinstance(above, cst.If) and is_main_guard(above):
        return 1
    share = _share_of_test(model, above.test, above)
    if below is above.body or share is None:
        return share
    return 1


def _share_of_test(model: ScriptModel, test: cst.BaseExpression, branch: cst.CSTNode) -> int | None:
    """How often a condition holds: 1 for one of the device or the phase, k for `i % k == 0`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        left = _share_of_test(model, test.left, branch)
        right = _share_of_test(model, test.right, branch)
        return None if left is None or right is None else right if left == 1 else left * right
    if isinstance(test, cst.BooleanOperation):
        # `i % k == 0 or i + 1 == len(loader)`: the end of an epoch adds one iteration.
        sides = [side for side in (test.left, test.right) if not _LAST.search(model.code(side))]
        return _share_of_test(model, sides[0], branch) if len(sides) == 1 else None
    modulo = [
        n for n in model.walk(test) if type(n) is cst.BinaryOperation and type(n.operator) is cst.Modulo
    ]
    if modulo:
        return _every(model, modulo[0], test, branch)
    code = model.code(test)
    return 1 if _ALWAYS.search(code) and not _MEASURED.search(code) else None


def _every(
    model: ScriptModel, modulo: cst.BinaryOperation, test: cst.BaseExpression, branch: cst.CSTNode
) -> int | None:
    if isinstance(test, cst.Comparison) and isinstance(test.comparisons[0].operator, cst.NotEqual):
        return 1
    known = integer_of(model, modulo.right)
    if known is not None:
        return known or None
    return 0 if _steps(model, branch) or _WINDOW.search(model.code(modulo.right)) else None


def _steps(model: ScriptModel, branch: cst.CSTNode) -> bool:
    """Whether a branch is where the optimizer steps."""
    if "optimizer.step" in (code := model.code(branch)) or ".step(optim" in code:
        return True
    nodes = {id(step.node) for step in model.trace.steps.values()}
    return any(type(n) is cst.Call and id(n) in nodes for n in model.walk(branch))


def _skipped_above(model: ScriptModel, block: cst.CSTNode, below: cst.CSTNode) -> int | None:
    """Whether an earlier statement of the block leaves it on most iterations: `if i % 100: continue`."""
    for statement in early_exits(block, below, Leave.WITHOUT_ERROR):
        if "%" in model.code(statement.test):
            modulo = [n for n in model.walk(statement.test) if type(n) is cst.BinaryOperation]
            known = integer_of(model, modulo[0].right) if modulo else None
            equal = isinstance(statement.test, cst.Comparison) and isinstance(
                statement.test.comparisons[0].operator, cst.Equal
            )
            if not equal:
                return known
    return 1
