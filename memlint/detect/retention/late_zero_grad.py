"""MEM122: the gradients of the last step live through the forward pass, to be cleared right after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.regions import siblings
from memlint.analysis.dataflow.step_order import moment, places, share_iteration
from memlint.analysis.facts import Backward, Event, Forward, Zero
from memlint.analysis.match import InsertBefore, Label, Match, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.gradients import owners_of
from memlint.analysis.training.loops import in_training
from memlint.analysis.training.sizes import language_model, parameter_count
from memlint.analysis.values import Ref
from memlint.catalogue import Rule
from memlint.finding import Applicability

_LARGE = 50_000_000
_STRAIGHT = (cst.SimpleStatementLine, cst.With, cst.If)


@dataclass(frozen=True, slots=True, eq=False)
class _Late:
    zero: Zero
    forwards: tuple[Forward, ...]
    backward: Backward


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Zero between the forward and the backward of one iteration, with nothing that needs it there."""
    if model.imports("deepspeed") or (model.target_torch is not None and model.target_torch < (2, 0)):
        return
    seen: set[cst.CSTNode] = set()
    for zero in model.trace.zeros.values():
        found = _late(model, zero) if zero.node not in seen else None
        if found is None:
            continue
        seen.add(zero.node)
        size = _size(model, found)
        first = found.forwards[0]
        values = {"zero": model.short(zero.node), "forward": model.short(first.node), "size": size}
        label = Label(
            "this forward runs while the gradients of the step before are still allocated", first.node
        )
        plan = _plan(model, found)
        yield Match(
            zero.node, values, "large" if size else "default", (label,), plans=(plan,) if plan else ()
        )


def _late(model: ScriptModel, zero: Zero) -> _Late | None:
    if not _sets_to_none(model, zero) or _is_cleared_elsewhere(model, zero):
        return None
    after = [
        b
        for b in model.trace.backwards.values()
        if b.fills and b.loops == zero.loops and moment(model, b) > moment(model, zero)
    ]
    backward = min(after, key=lambda b: moment(model, b), default=None)
    if backward is None or not in_training(model.trace, backward) or not _same_path(model, zero, backward):
        return None
    reached = model.machine.ancestors(backward.ids)
    forwards = sorted(
        (
            f
            for f in model.trace.forwards.values()
            if f.ids & reached and share_iteration(zero, f) and len(f.loops) >= len(zero.loops)
            and moment(model, f) < moment(model, zero) and _is_owned(model, zero, f)
            and not _reads_gradients_between(model, f, zero)
        ),
        key=lambda f: moment(model, f),
    )  # fmt: skip
    if not forwards or _steps_between(model, forwards[0], zero):
        return None
    return _Late(zero, tuple(forwards), backward)


def _sets_to_none(model: ScriptModel, zero: Zero) -> bool:
    node = zero.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    given = [model.code(a.value) for a in node.args]
    return node.func.attr.value == "zero_grad" and given in ([], ["True"])


def _is_cleared_elsewhere(model: ScriptModel, zero: Zero) -> bool:
    """Whether something else in the same iterations clears gradients as well, so that none are left."""
    return any(
        other.node is not zero.node
        and share_iteration(zero, other)
        and len(other.loops) >= len(zero.loops)
        and (
            other.target is zero.target
            or other.target is None
            or zero.target is None
            or _may_be_same(zero, other)
        )
        for other in model.trace.zeros.values()
    )


def _may_be_same(zero: Zero, other: Zero) -> bool:
    kinds = {t.kind for t in (zero.target, other.target) if t is not None}
    return len(kinds) > 1 or any(t is not None and t.guessed for t in (zero.target, other.target))


def _same_path(model: ScriptModel, zero: Zero, backward: Backward) -> bool:
    """Whether the two run under the same conditions: a window of accumulation clears now and then."""
    return _conditions(model, zero) <= _conditions(model, backward)


def _conditions(model: ScriptModel, event: Event) -> set[cst.CSTNode]:
    """The branches and handlers in which an event and the calls that led to it stand."""
    nodes = [event.node, *(f.call for f in event.frame.chain() if f.call is not None)]
    found: set[cst.CSTNode] = set()
    for node in nodes:
        for above in model.ancestors(node):
            if isinstance(above, (cst.For, cst.While, cst.FunctionDef)):
                break
            if isinstance(above, (cst.If, cst.IfExp, cst.Else, cst.ExceptHandler, cst.Match)):
                found.add(above)
    return found


def _is_owned(model: ScriptModel, zero: Zero, forward: Forward) -> bool:
    """Whether the gradients that are cleared belong to the module of a forward, as far as one can tell."""
    module = forward.module.obj if isinstance(forward.module, Ref) else None
    target = zero.target
    if target is None or module is None:
        return False
    if target.kind != "optimizer":
        return target is module or (target.guessed and module.guessed and target.name == module.name)
    owned = owners_of(model, target)
    if owned:
        return module.id in owned or any(model.trace.objects[n].guessed for n in owned)
    return len({s.optimizer.name or s.optimizer.id for s in model.trace.steps.values()}) <= 1


def _steps_between(model: ScriptModel, forward: Forward, zero: Zero) -> bool:
    """Whether gradients are made or used between a forward and the place where they are cleared."""
    begin, end = moment(model, forward), moment(model, zero)
    events = (*model.trace.backwards.values(), *model.trace.steps.values())
    return any(begin < moment(model, e) < end and share_iteration(zero, e) for e in events)


def _reads_gradients_between(model: ScriptModel, forward: Forward, zero: Zero) -> bool:
    """Whether the code between a forward and the clearing reads `.grad`, itself or in what it calls."""
    low, high = model.positions[forward.node], model.positions[zero.node]
    if zero.frame is not forward.frame or low > high:
        return ".grad" in model.text.replace("torch.autograd.grad", "").replace(".grad_", "")
    between = model.names.preorder.nodes[low:high]
    called = {n.value for n in between if type(n) is cst.Name}
    bodies = [
        node
        for node in model.names.every(cst.FunctionDef)
        if node.name.value in called or node.name.value == "forward"
    ]
    parts = (part for body in bodies for part in model.walk(body))
    return any(type(n) is cst.Attribute and n.attr.value == "grad" for n in (*between, *parts))


def _size(model: ScriptModel, found: _Late) -> str:
    """What shows that the parameters with gradients are many; "" where nothing does."""
    if model.imports("peft"):
        return ""
    for forward in found.forwards:
        assert isinstance(forward.module, Ref)
        obj = forward.module.obj
        count = parameter_count(model, obj)
        if language_model(obj) or count >= _LARGE:
            return language_model(obj) or f"{count // 1_000_000} million parameters"
    return ""


# --- moving it ----------------------------------------------------------------------------------------


def _plan(model: ScriptModel, found: _Late) -> Plan | None:
    line = model.statement_of(found.zero.node)
    first = _statement_beside(model, found, line)
    if line is None or first is None or not _is_alone(line, found.zero.node):
        return None
    block = siblings(model, line)
    between = block[block.index(first) : block.index(line)]
    if not all(_is_harmless(model, statement, found) for statement in between):
        return None
    code = model.code(found.zero.node)
    changes = (Remove(line), InsertBefore(first, code))
    return Plan(Applicability.SAFE, f"move `{code}` before the forward", changes)


def _is_alone(line: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and [getattr(s, "value", None) for s in line.body] == [
        node
    ]


def _statement_beside(model: ScriptModel, found: _Late, line: cst.CSTNode | None) -> cst.CSTNode | None:
    """The statement of the block of `line` in which the first forward runs."""
    node = places(found.forwards[0]).get(found.zero.frame)
    if line is None or node is None:
        return None
    block = siblings(model, line)
    above = {node, *model.ancestors(node)}
    return next((s for s in block if s in above), None)


def _is_harmless(model: ScriptModel, statement: cst.CSTNode, found: _Late) -> bool:
    """Whether a statement runs straight on and neither has to do with the optimizer nor with gradients."""
    assert isinstance(found.zero.node, cst.Call)
    assert isinstance(found.zero.node.func, cst.Attribute)
    target = model.code(found.zero.node.func.value)
    if not isinstance(statement, _STRAIGHT):
        return False
    for node in model.walk(statement):
        if isinstance(node, (cst.For, cst.While, cst.Try, cst.Yield, cst.Await, *JUMPS)):
            return False
        if (
            isinstance(node, (cst.Name, cst.Attribute))
            and model.code(node) == target
            and not _is_module(found)
        ):
            return False
    return True


def _is_module(found: _Late) -> bool:
    """Whether it is the module itself that is cleared, which the forward has to mention."""
    return found.zero.target is not None and found.zero.target.kind != "optimizer"
