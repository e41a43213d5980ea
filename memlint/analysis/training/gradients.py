"""Which training steps never clear the gradients they add to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import takewhile

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import backwards_beside, exclusive, steps_beside, zeros_in
from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.reaching_definitions import reaching_values
from memlint.analysis.facts import Backward, Forward, Loop, Step, Zero
from memlint.analysis.knowledge import libraries, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import passes_among
from memlint.analysis.training.loops import over_batches
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.training.untrained_networks import inside, network
from memlint.analysis.values import ClassInfo, Frame, Obj, Params, Ref
from memlint.records import dataclass
from memlint.syntax.expressions import calls_in, place, same, spelling
from memlint.syntax.tree import last_name, walk, words_in

_PLAIN_BASES = frozenset({"object", "Module", "ABC"})
_REGISTERS = frozenset({"setattr", "add_module", "register_module", "__dict__", "_modules"})


@dataclass(frozen=True, slots=True)
class Uncleared:
    """A backward and a step that share a loop in which nothing clears the gradients.

    how: "default" (cleared nowhere that counts), "epoch" (only in an outer loop), "other" (only those of
    another optimizer or module).
    """

    backward: Backward
    step: Step
    loop: Loop | None
    how: str


def uncleared(model: ScriptModel) -> Iterator[Uncleared]:
    """Every step loop whose gradients are summed over its iterations, once per backward."""
    if _managed(model):
        return
    found: list[Uncleared] = []
    for step in model.trace.steps.values():
        if not _is_torch_optimizer(step.optimizer):
            continue
        for backward in _feeding(model, step):
            loop = _common_loop(model, step, backward)
            if loop is None or not backward.fills:
                continue
            if loop.id in step.fresh or _is_of_others(model, backward, step):
                continue
            how = _judge(model, step, loop, backward)
            if how:
                found.append(Uncleared(backward, step, loop, how))
    found += (*_forgotten(model), *_alone(model))
    # Where one context of a function clears (a flag, another caller), the code as such is right.
    cleared = _cleared_somewhere(model)
    told: set[int] = set()
    for each in found:
        node = id(each.backward.node)
        others = (o for b, o in cleared if b is each.backward.node and o.node is each.step.node)
        if node in told or any(_is_as_good(o, each.step) for o in others) or _is_of_engine(each.backward):
            continue
        told.add(node)
        yield each


def _forgotten(model: ScriptModel) -> Iterator[Uncleared]:
    """In a step function that no loop here calls: one optimizer is cleared, the one beside it never."""
    trace = model.trace
    for step in trace.steps.values():
        if (
            step.loops
            or step.optimizer.by_name
            or not _is_torch_optimizer(step.optimizer)
            or _steps_in_backward(model)
        ):
            continue
        zeros = [z for z in trace.zeros.values() if z.frame is step.frame and not z.loops]
        others = [
            z for z in zeros if z.target is not None and z.target.kind == "optimizer" and not z.target.by_name
        ]
        if not others or any(covers(model, z, step.optimizer) for z in trace.zeros.values()):
            continue
        for backward in trace.backwards.values():
            if backward.fills and backward.frame is step.frame and _nearest_step(model, backward) is step:
                yield Uncleared(backward, step, None, "other")


def _alone(model: ScriptModel) -> Iterator[Uncleared]:
    """Whole training steps, forward pass, backward and step, in a function that nothing here calls, with an
    optimizer that its class or file makes for it: whoever calls it for each batch has no part in that."""
    trace = model.trace
    if _steps_in_backward(model):
        return
    for step in trace.steps.values():
        chain = step.frame.chain()
        if step.loops or step.optimizer.by_name or not _is_torch_optimizer(step.optimizer):
            continue
        if not any(f.entry for f in chain) or not _is_made_outside(model, step):
            continue
        if in_unit_test(model, step.frame) or any(
            covers(model, zero, step.optimizer) for zero in trace.zeros.values()
        ):
            continue
        for backward in trace.backwards.values():
            if not backward.fills or backward.frame is not step.frame:
                continue
            whole = any(forward.frame is step.frame for forward in _passes(model, backward))
            if whole and _nearest_step(model, backward) is step:
                yield Uncleared(backward, step, None, "default")


def _is_made_outside(model: ScriptModel, step: Step) -> bool:
    """Whether an optimizer is made in this file, but not by the function that steps it: by the constructor of
    its class, at the top level, or by a function around it."""
    made, function = step.optimizer.node, model.function_of(step.node)
    if made is None or not model.owns(made) or function is None:
        return False
    by, owner = model.function_of(made), model.class_of(step.node)
    if owner is None or by is None:
        return by is None or (by is not function and by in set(model.ancestors(function)))
    alone = all(model.names.one(base.value).rpartition(".")[2] in _PLAIN_BASES for base in owner.bases)
    return by is not function and model.class_of(made) is owner and alone


def _nearest_step(model: ScriptModel, backward: Backward) -> Step | None:
    rank = model.positions
    after = [
        s
        for s in model.trace.steps.values()
        if s.frame is backward.frame and rank[s.node] > rank[backward.node]
    ]
    return min(after, key=lambda s: rank[s.node]) if after else None


def _managed(model: ScriptModel) -> bool:
    return model.imports("deepspeed", "horovod_keras")


def _is_of_engine(backward: Backward) -> bool:
    """Whether a network goes backward from a loss that it is given: modules of torch have no such method,
    and DeepSpeed's engines clear the gradients in their step."""
    call = backward.node
    if not isinstance(call, cst.Call) or not call.args or not isinstance(call.func, cst.Attribute):
        return False
    names = words_in(spelling(call.func.value))
    return bool(names) and naming.role(names[-1]) == "module"


def _cleared_somewhere(model: ScriptModel) -> list[tuple[cst.CSTNode, Step]]:
    """The node of each backward and the step between which some context of their function clears."""
    cleared: list[tuple[cst.CSTNode, Step]] = []
    for step in model.trace.steps.values():
        for backward in _feeding(model, step):
            loop = _common_loop(model, step, backward)
            if loop is not None and backward.fills and not _judge(model, step, loop, backward):
                cleared.append((backward.node, step))
    return cleared


def _is_as_good(cleared: Step, step: Step) -> bool:
    """Whether a step that finds its own gradients only says so of another one at the same place: in the same
    call those are the steps of two optimizers, `for o in (first, second): o.step()`."""
    return cleared.frame is not step.frame or cleared.optimizer is step.optimizer


def _is_torch_optimizer(obj: Obj) -> bool:
    """Whether the step is one of an optimizer for sure enough: made from torch, or named like one."""
    if obj.path:
        return bool(libraries.OPTIMIZER_PATHS.match(obj.path))
    if obj.cls is not None:
        return False
    return obj.by_name


def _common_loop(model: ScriptModel, step: Step, backward: Backward) -> Loop | None:
    """The innermost loop that runs both, in the same calling context."""
    return next((loop for loop in _stepping_loops(model, step) if loop in backward.loops), None)


@cached
def _stepping_loops(model: ScriptModel, step: Step) -> tuple[Loop, ...]:
    """The loops around a step, innermost first, but those of which each iteration steps another optimizer."""
    return tuple(loop for loop in reversed(step.loops) if not _over_optimizers(loop, step))


def _over_optimizers(loop: Loop, step: Step) -> bool:
    """Whether each iteration steps another optimizer: `for i in ...: optimizers[i].step()`."""
    if not isinstance(loop.node, cst.For):
        return False
    names = {n.value for n in walk(loop.node.target) if isinstance(n, cst.Name)}
    return bool(names & set(words_in(step.code)))


@cached
def _feeding(model: ScriptModel, step: Step) -> list[Backward]:
    """The backwards that share a loop with a step and may fill gradients of what it changes."""
    return [b for b in backwards_beside(model, step.loops) if may_feed(model, b, step)]


def may_feed(model: ScriptModel, backward: Backward, step: Step) -> bool:
    """Whether a backward may fill gradients of what the optimizer steps: one of the nearest steps after it.

    Several steps in a row, with no backward between them, all use what was filled before the first of them.
    """
    fed = _fed(model, backward)
    return (fed is None or id(step) in fed) and not exclusive(model, step, backward)


_Ranked = list[tuple[int, Step]]
"""Steps with the places where they stand, in this order."""


@cached
def _fed(model: ScriptModel, backward: Backward) -> frozenset[int] | None:
    """The identities of the steps in a backward's own frame that it may feed; None where no step is there."""
    groups = _steps_around(model, backward.frame, backward.loops)
    own = model.positions[backward.node]
    behind = [steps[after][0] for _, steps in groups if (after := _upto(steps, own)) < len(steps)]
    if not behind:
        return frozenset(id(step) for _, steps in groups for _, step in steps) if groups else None
    nearest = min(behind)
    fed: set[int] = set()
    for loops, steps in groups:
        ranks = _backward_ranks(model, loops)
        later = bisect_right(ranks, nearest)
        end = _upto(steps, ranks[later]) if later < len(ranks) else len(steps)
        fed.update(id(step) for _, step in steps[_upto(steps, nearest - 1) : end])
    return frozenset(fed)


def _upto(steps: _Ranked, place: int) -> int:
    """How many of some steps stand at a place or before it."""
    return bisect_right(steps, place, key=_first)


def _first(ranked: tuple[int, Step]) -> int:
    return ranked[0]


@cached
def _steps_around(
    model: ScriptModel, frame: Frame, loops: tuple[Loop, ...]
) -> list[tuple[tuple[Loop, ...], _Ranked]]:
    """The steps of a frame that share one of some loops, by the loops that count for them."""
    groups: dict[tuple[Loop, ...], _Ranked] = {}
    for step in steps_beside(model, loops):
        own = _stepping_loops(model, step)
        if step.frame is frame and not set(loops).isdisjoint(own):
            groups.setdefault(own, []).append((model.positions[step.node], step))
    return [(own, sorted(steps, key=_first)) for own, steps in groups.items()]


@cached
def _backward_ranks(model: ScriptModel, loops: tuple[Loop, ...]) -> list[int]:
    """Where the backwards stand that run in some loops."""
    return sorted(model.positions[b.node] for b in backwards_beside(model, loops))


def _is_of_others(model: ScriptModel, backward: Backward, step: Step) -> bool:
    """Whether a backward runs through networks of which the optimizer has no part, as it was made before
    `model = Other()`: it fills none of the gradients that are stepped with."""
    known = step.optimizer.args.get("#owners")
    through = _networks(model, backward)
    if not isinstance(known, Params) or not known.owners or not through:
        return False
    if not any(model.trace.objects[number].by_name for number in known.owners):
        passes = _passes(model, backward)
        if passes and all(_runs_a_later_one(model, f, step.optimizer) for f in passes):
            return True
    owned = inside(model, known.owners)
    return all(n is not None and not n.by_name and owned.isdisjoint(inside(model, (n.id,))) for n in through)


def _runs_a_later_one(model: ScriptModel, forward: Forward, optimizer: Obj) -> bool:
    """Whether a forward runs a network that was loaded, or made by another package, after the optimizer was
    made; a call that gets a variable may give that network back: `wrap(net)`."""
    begin = model.positions.get(optimizer.node) if optimizer.node is not None else None
    if begin is None:
        return False
    made = reaching_values(model, forward.node.func) if isinstance(forward.node, cst.Call) else []
    return bool(made) and all(
        isinstance(value, cst.Call)
        and model.owns(value)
        and model.positions[value] > begin
        and (model.path_of(value.func) == "torch.load" or (_is_foreign(model, value.func) and not value.args))
        for value in made
    )


def _is_foreign(model: ScriptModel, func: cst.BaseExpression) -> bool:
    """Whether a function comes out of an import and its code is not in view."""
    return bool(model.path_of(func)) and not definitions_meant(model, func)


def _clears_all(model: ScriptModel, zeros: Iterable[Zero], backward: Backward) -> bool:
    """Whether modules are cleared that hold all networks which a backward runs through."""
    targets = (z.target.id for z in zeros if z.target is not None and z.target.kind == "module")
    cleared = inside(model, targets)
    through = _networks(model, backward)
    return bool(through) and all(n is not None and n.id in cleared for n in through)


def _networks(model: ScriptModel, backward: Backward) -> list[Obj | None]:
    """The networks that a backward runs through, None for one of several."""
    return [network(f) for f in _passes(model, backward)]


@cached
def _passes(model: ScriptModel, backward: Backward) -> list[Forward]:
    return passes_among(model, model.trace.ancestors(backward.ids))


def _judge(model: ScriptModel, step: Step, loop: Loop, backward: Backward) -> str:
    trace = model.trace
    if _opaque_may_zero(model, step, loop) or _is_said_to_zero(model, loop) or _steps_in_backward(model):
        return ""
    within = [z for z in zeros_in(model, loop) if not exclusive(model, z, backward)]
    if isinstance(loop.node, cst.FunctionDef):
        within += [z for z in trace.zeros.values() if _in_another_hook(model, z, loop)]
    if any(covers(model, z, step.optimizer) for z in within) or _clears_all(model, within, backward):
        return ""
    if _is_written_to_zero(model, step, loop, backward) or _goes_through_parts(model, step, loop):
        return ""
    outer = step.loops[: step.loops.index(loop)]
    if any(covers(model, z, step.optimizer) for around in outer for z in zeros_in(model, around)):
        return "epoch"
    return "other" if within else "default"


def _is_written_to_zero(model: ScriptModel, step: Step, loop: Loop, backward: Backward) -> bool:
    """Whether the loop zeroes what it steps by the same name in a call that the run made nothing of: that of
    `self.optimizer`, which the base class in view leaves None, and subclasses set."""
    if not step.code:
        return False
    chains = (event.frame.chain() for event in (step, backward))
    entered = {f.node for chain in chains for f in takewhile(lambda frame: frame is not loop.frame, chain)}
    known = {z.node for z in model.trace.zeros.values()}
    calls = (c for part in {loop.node, *entered} for c in _zero_calls(model, part) if c not in known)
    owners = (c.func.value for c in calls if isinstance(c.func, cst.Attribute))
    return any(place(owner) == step.code for owner in owners)


@cached
def _zero_calls(model: ScriptModel, part: cst.CSTNode) -> list[cst.Call]:
    return list(calls_in(part, "zero_grad"))


def _goes_through_parts(model: ScriptModel, step: Step, loop: Loop) -> bool:
    """Whether a loop goes through something else than data, such as the layers of a network, and its function
    zeroes the optimizer after it: the gradients of the parts belong to one batch."""
    if not isinstance(loop.node, cst.For) or over_batches(model.trace, loop) or place(loop.node.iter) == "":
        return False
    after = model.positions[loop.node]
    zeros = (z for z in model.trace.zeros.values() if z.frame is loop.frame and loop not in z.loops)
    return any(model.positions[z.node] > after and covers(model, z, step.optimizer) for z in zeros)


def _in_another_hook(model: ScriptModel, zero: Zero, loop: Loop) -> bool:
    """Whether another method than the one that a trainer runs as a loop, of the same class, clears."""
    if loop in zero.loops:
        return False
    owner = model.class_of(loop.node)
    return owner is not None and model.class_of(zero.node) is owner


def covers(model: ScriptModel, zero: Zero, optimizer: Obj) -> bool:
    """Whether a zero_grad clears what this optimizer steps; in doubt it does."""
    if zero.target is optimizer:
        return True
    if zero.target is None:
        owned = owners_of(model, optimizer)
        return not zero.owners or not owned or bool(zero.owners & owned)
    if zero.target.kind == "optimizer":
        if zero.target.by_name and optimizer.by_name:
            if naming.role(zero.target.name.rpartition(".")[2]) != "optimizer":
                # Perhaps a network's own zero_grad: its name does not say which optimizer steps it.
                return True
            return zero.target.name == optimizer.name or _container_of(zero.target.name, optimizer.name)
        if zero.target.by_name or optimizer.by_name:
            return True
        mine, theirs = owners_of(model, optimizer), owners_of(model, zero.target)
        if mine and theirs:
            return bool(mine & theirs)
        return not _made_from_different_parts(model, optimizer, zero.target)
    owned = owners_of(model, optimizer)
    if owned & inside(model, (zero.target.id,)):
        return True
    if zero.target.by_name and any(not model.trace.objects[n].by_name for n in owned):
        # A parameter may well be the object that the optimizer was made from.
        return True
    if not owned or zero.target.id in owned or zero.target.kind != "module":
        return True
    return zero.target.cls is not None and _may_hold_more(model, zero.target.cls)


def _may_hold_more(model: ScriptModel, info: ClassInfo) -> bool:
    """Whether networks of a class may clear more than the parts that its constructor is seen to make."""
    if not model.owns(info.node) or info.find("zero_grad") is not None:
        return True
    plain = info.ancestry() <= {"torch.nn.Module"} and len(info.bases) == 1
    return not plain or bool(_REGISTERS & model.names_in(info.node))


def _made_from_different_parts(model: ScriptModel, a: Obj, b: Obj) -> bool:
    """Whether two optimizers are plain constructor calls over visibly different parameters."""
    firsts = [
        o.node.args[0].value for o in (a, b) if isinstance(o.node, cst.Call) and o.node.args and o.cls is None
    ]
    return len(firsts) == 2 and not same(firsts[0], firsts[1])


def _container_of(a: str, b: str) -> bool:
    """Whether one name may stand for a member of what the other stands for (`optimizers`, `opt`)."""
    singles = [name.removesuffix("s") for name in (a, b) if not name.endswith("_s")]
    return "[" in a or "[" in b or any(single in a and single in b for single in singles)


def owners_of(model: ScriptModel, optimizer: Obj) -> frozenset[int]:
    """The modules whose parameters an optimizer was given, with the modules that these are parts of."""
    known = optimizer.args.get("#owners")
    found = set(known.owners) if isinstance(known, Params) else set()
    for number in tuple(found):
        while (whole := model.trace.objects[number].args.get("of")) is not None and isinstance(whole, Ref):
            number = whole.obj.id
            found.add(number)
    return frozenset(found)


def _opaque_may_zero(model: ScriptModel, step: Step, loop: Loop) -> bool:
    """Whether unseen code that gets the optimizer or its model inside the loop may clear gradients."""
    owners = owners_of(model, step.optimizer)
    wanted = {step.optimizer.id} | owners
    of_any = step.optimizer.by_name or not owners
    # A GradScaler that only its name tells steps, and clears nothing.
    scaled = {s.node for s in model.trace.steps.values() if s.through_scaler}
    return any(
        loop in event.loops and naming.may_zero(event.name) and (of_any or event.objects & wanted)
        for event in model.trace.opaque_calls.values()
        if event.node not in scaled and not _makes_or_gets(event.name)
    )


def _makes_or_gets(name: str) -> bool:
    """Whether a call of this name makes an object of a class, by its capital, or gets something."""
    own = name.rpartition(".")[2]
    return own[:1].isupper() or own.startswith("get_")


@cached
def _is_said_to_zero(model: ScriptModel, loop: Loop) -> bool:
    """Whether a function is called `set_zero_grad` or the like, and what it clears cannot be seen: members of
    a container that is filled elsewhere."""
    seen = {frame.call for zero in zeros_in(model, loop) for frame in zero.frame.chain()}
    calls = (call for call in model.every(cst.Call, loop.node) if call not in seen)
    return any("zero_grad" in (name := last_name(call.func)) and name != "zero_grad" for call in calls)


def _steps_in_backward(model: ScriptModel) -> bool:
    hooks = {"register_post_accumulate_grad_hook", "register_step_post_hook", "register_step_pre_hook"}
    return bool(hooks & (model.identifiers | model.words_around))


def loop_body(loop: Loop) -> cst.BaseSuite | None:
    """The suite of a loop statement, None for comprehensions."""
    return loop.node.body if isinstance(loop.node, (cst.For, cst.While)) else None
