"""Gradient accumulation: optimizer steps that wait until several batches have added their gradients."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import Leave, early_exits
from memlint.analysis.dataflow.execution_order import (
    alternatives,
    backwards_beside,
    backwards_in,
    steps_beside,
)
from memlint.analysis.facts import Backward, Event, Loop, Step
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import may_feed
from memlint.analysis.values import Frame
from memlint.records import dataclass
from memlint.syntax.expressions import same
from memlint.syntax.tree import dotted

Condition = tuple[cst.If | cst.ExceptHandler, str]


@dataclass(frozen=True, slots=True)
class Window:
    """A step that runs in some iterations of a loop only, after backwards that run in all of them.

    `branch` is the `if` that opens the window and `size` the code of its length ("" for a plain counter);
    for a loop inside the iteration, `branch` is None and `loop` is that inner loop.
    """

    step: Step
    backward: Backward
    loop: Loop
    branch: cst.If | None
    size: str = ""


@cached
def windows(model: ScriptModel) -> list[Window]:
    """The accumulation windows of a file, each step once for each backward."""
    return [] if _synchronised(model) else list(_windows(model))


def _synchronised(model: ScriptModel) -> bool:
    """Whether a framework decides when step and zero_grad take effect."""
    if model.imports("deepspeed") or "sync_gradients" in model.identifiers:
        return True
    functions = (call.func for call in model.names.calls) if "accumulate" in model.identifiers else ()
    return any(isinstance(func, cst.Attribute) and func.attr.value == "accumulate" for func in functions)


def _windows(model: ScriptModel) -> Iterator[Window]:
    for step in model.trace.steps.values():
        for backward in backwards_beside(model, step.loops):
            if not backward.fills or backward.unseen:
                continue
            shared = [loop for loop in step.loops if loop in backward.loops]
            # What a framework calls may be put together from functions that never meet.
            if isinstance(shared[-1].node, cst.FunctionDef) and step.frame is not backward.frame:
                continue
            loop = shared[-1]
            if len(backward.loops) > backward.loops.index(loop) + 1:
                inner = backward.loops[backward.loops.index(loop) + 1]
                if _only_feeder(model, loop, inner):
                    yield Window(step, backward, inner, None)
                    break
            elif may_feed(model, backward, step):
                yield from _conditional(model, step, backward, loop)


def _only_feeder(model: ScriptModel, loop: Loop, inner: Loop) -> bool:
    """Whether all gradients of a step come from one inner loop, which itself never steps."""
    if steps_beside(model, (inner,)):
        return False
    return all(inner in b.loops for b in backwards_in(model, loop))


def _conditional(model: ScriptModel, step: Step, backward: Backward, loop: Loop) -> Iterator[Window]:
    around = conditions(model, backward, loop)
    for branch, arm in conditions(model, step, loop):
        if not isinstance(branch, cst.If) or _steps_in_all(model, branch):
            continue
        if any(branch is other or _asks_again(branch, arm, other, its_arm) for other, its_arm in around):
            continue
        if _has_its_own(model, step, (branch, arm), backward, loop):
            continue
        size = _window_size(model, branch.test, loop, parameters(step.frame, loop), 0)
        if size is not None:
            yield Window(step, backward, loop, branch, size)
            return


def _has_its_own(
    model: ScriptModel, step: Step, condition: Condition, backward: Backward, loop: Loop
) -> bool:
    """Whether another backward feeds a step in another branch with its condition, beside this backward."""
    return any(
        any(_asks_again(*condition, *around) for around in conditions(model, other, loop))
        for other in backwards_in(model, loop)
        if not alternatives(other, backward) and may_feed(model, other, step)
    )


def _asks_again(branch: cst.CSTNode, arm: str, other: cst.CSTNode, its_arm: str) -> bool:
    """Whether two branches ask the same: `if last: loss.backward()`, later `if last: optimizer.step()`."""
    if branch is other or not isinstance(branch, cst.If) or not isinstance(other, cst.If):
        return False
    return arm == its_arm and same(branch.test, other.test)


def waits(model: ScriptModel, event: Event, loop: Loop) -> bool:
    """Whether an event runs in some iterations of a loop only: in those that complete a window."""
    given = parameters(event.frame, loop)
    return any(
        isinstance(branch, cst.If) and _window_size(model, branch.test, loop, given, 0) is not None
        for branch, _ in conditions(model, event, loop)
    )


def parameters(frame: Frame, loop: Loop) -> frozenset[str]:
    """The parameters of a function that runs inside the iteration, which its caller may change each time."""
    if frame is loop.frame or not isinstance(frame.node, cst.FunctionDef):
        return frozenset()
    return frozenset(p.name.value for p in (*frame.node.params.params, *frame.node.params.kwonly_params))


@cached
def conditions(model: ScriptModel, event: Event, loop: Loop) -> list[Condition]:
    """The branches in which an event lies, up to its loop and through the calls that led to it."""
    found: list[Condition] = []
    node, frame = event.node, event.frame
    while node is not loop.node:
        parent = model.parent(node)
        if parent is None or isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            if frame.caller is None or frame.call is None or frame is loop.frame:
                break
            node, frame = frame.call, frame.caller
            continue
        if isinstance(parent, cst.If):
            found += [(parent, "test" if node is parent.test else "body" if node is parent.body else "else")]
        elif isinstance(parent, cst.ExceptHandler):
            found.append((parent, "except"))
        elif isinstance(parent, (cst.IndentedBlock, cst.Module)):
            found += [(skip, "else") for skip in early_exits(model, parent, node, Leave.WITHOUT_ERROR)]
        node = parent
    return found


@cached
def _steps_in_all(model: ScriptModel, branch: cst.If) -> bool:
    """Whether another step lies in the other branch: two optimizers take turns."""
    return branch.orelse is not None and branch.orelse in _around_steps(model)


@cached
def _around_steps(model: ScriptModel) -> set[cst.CSTNode]:
    """The nodes with an optimizer step in them, the steps included."""
    found: set[cst.CSTNode] = set()
    for step in model.trace.steps.values():
        for node in (step.node, *model.ancestors(step.node)):
            if node in found:
                break
            found.add(node)
    return found


@cached
def _window_size(
    model: ScriptModel, test: cst.BaseExpression, loop: Loop, given: frozenset[str], depth: int
) -> str | None:
    """The length of the window that a condition opens, "" where only a counter tells; None for no window."""
    for part in model.walk(test):
        if isinstance(part, cst.BinaryOperation) and isinstance(part.operator, cst.Modulo):
            if _runs_with(model, part.left, loop, given):
                return model.code(part.right)
        elif isinstance(part, cst.Comparison) and _counts(model, part, loop):
            return ""
    flag = dotted(test)
    if flag and depth < 2:
        for value in _assigned(model, flag, loop):
            size = _window_size(model, value, loop, given, depth + 1)
            if size is not None:
                return size
    return None


def _runs_with(model: ScriptModel, counter: cst.BaseExpression, loop: Loop, given: frozenset[str]) -> bool:
    """Whether a counter changes with every iteration of the loop, not with an outer one only."""
    names = {dotted(n) for n in model.walk(counter) if isinstance(n, (cst.Name, cst.Attribute))}
    names = {n for n in names if "epoch" not in n.lower()}
    changing = (_turning(model, loop), _augmented(model, loop), given)
    return any(not names.isdisjoint(each) for each in changing) or any(n.startswith("self.") for n in names)


@cached
def _turning(model: ScriptModel, loop: Loop) -> set[str]:
    """The names that a loop binds for each iteration; of one without a target, all that it mentions."""
    target = loop.node.target if isinstance(loop.node, (cst.For, cst.CompFor)) else loop.node
    return {n.value for n in model.walk(target) if isinstance(n, cst.Name)}


def _counts(model: ScriptModel, test: cst.Comparison, loop: Loop) -> bool:
    """Whether a comparison waits for a counter that the loop counts up and the branch sets back."""
    name = dotted(test.left)
    if isinstance(test.left, cst.Call) and dotted(test.left.func) == "len" and test.left.args:
        return _fills_up(model, dotted(test.left.args[0].value), loop)
    if not name or name not in _augmented(model, loop):
        return False
    return any(isinstance(v, cst.Integer) for v in _assigned(model, name, loop))


def _fills_up(model: ScriptModel, name: str, loop: Loop) -> bool:
    """Whether the loop appends to a list and empties it: its length counts the iterations."""
    methods = _called(model, loop)
    emptied = f"{name}.clear" in methods or any(
        isinstance(value, cst.List) and not value.elements for value in _assigned(model, name, loop)
    )
    return bool(name) and f"{name}.append" in methods and emptied


@cached
def _called(model: ScriptModel, loop: Loop) -> set[str]:
    """What a loop calls."""
    return {dotted(n.func) for n in model.every(cst.Call, loop.node)}


@cached
def _augmented(model: ScriptModel, loop: Loop) -> set[str]:
    """What a loop adds to in place."""
    return {dotted(n.target) for n in model.every(cst.AugAssign, loop.node)}


def _assigned(model: ScriptModel, name: str, loop: Loop) -> list[cst.BaseExpression]:
    """The values that are assigned to a name inside a loop."""
    return _assignments(model, loop).get(name, [])


@cached
def _assignments(model: ScriptModel, loop: Loop) -> dict[str, list[cst.BaseExpression]]:
    """The values that are assigned inside a loop, by the name."""
    found: dict[str, list[cst.BaseExpression]] = {}
    for node in model.every(cst.Assign, loop.node):
        for name in {dotted(target.target) for target in node.targets}:
            found.setdefault(name, []).append(node.value)
    return found
