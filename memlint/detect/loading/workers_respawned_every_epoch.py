"""MEM406: every epoch ends the worker processes of a loader and starts new ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import assigned_in, origins
from memlint.analysis.facts import Loop
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.worker_code import callables
from memlint.analysis.training.loading.workers import loader_argument, loaders, value_of, workers
from memlint.analysis.training.loops import is_epochs
from memlint.analysis.values import Const, Frame, Obj, options_of, truth
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, header_of

_CHANGES = re.compile(r"^((set|on)_\w+|(reset|resample|shuffle|update|refresh)\w*|next_epoch)$")
_CAUTION = "the workers stay alive between epochs with the data set as it was when they started"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loaders with workers that are gone through again and again without persistent_workers."""
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        node = loader.node
        assert isinstance(node, cst.Call)
        if node in seen or workers(model, loader).kind != "some" or _persists(loader):
            continue
        found = _repeated(model, loader)
        if found is None:
            continue
        outer, rebuilt = found
        if _told(model, loader, outer) or _seeded(model, loader):
            continue
        seen.add(node)
        plan = None if rebuilt else _plan(model, node, loader)
        written = "while " if isinstance(outer.node, cst.While) else ""
        values = {
            "loop": f"{written}{model.short(header_of(outer.node))}",
            "workers": workers(model, loader).code,
        }
        labels = (Label("each round of this loop starts the workers again", header_of(outer.node)),)
        variant = "rebuilt" if rebuilt else "default"
        yield Match(node, values, variant, labels, plans=(plan,) if plan is not None else ())


def _persists(loader: Obj) -> bool:
    """Whether workers stay, or may stay, alive: the argument is given, or keywords cannot be seen."""
    value = value_of(loader, "persistent_workers")
    return "**" in loader.args or (value is not None and truth(value) is not False)


def _repeated(model: ScriptModel, loader: Obj) -> tuple[Loop, bool] | None:
    """The loop that goes through a loader again in every round; True where it also makes it anew."""
    made = model.trace.made.get(loader.id)
    if made is None:
        return None
    rounds = model.trace.iterated.get(loader.id, ())
    for loop in sorted(rounds, key=lambda loop: (len(loop.outer), model.positions[loop.node])):
        if not isinstance(loop.node, cst.For) or not loop.outer or _is_copy(model, loop.node.iter):
            continue
        again = [outer for outer in loop.outer if outer not in made.loops and _repeats(model, outer)]
        if again:
            return next((outer for outer in again if is_epochs(outer)), again[-1]), False
        near = loop.outer[-1]
        anew = bool(made.loops) and near is made.loops[-1] and _repeats(model, near)
        if anew and not _depends(model, loader, near, made.frame.chain()):
            return near, True
    return None


def _is_copy(model: ScriptModel, iterated: cst.BaseExpression) -> bool:
    """Whether a loop goes through a list that the batches were put into, not through the loader."""
    calls = (o.node for o in origins(model, iterated) if isinstance(o.node, cst.Call))
    return not isinstance(iterated, cst.Call) and any(dotted(c.func) in ("list", "tuple") for c in calls)


def _repeats(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop runs more than once, as far as its numbers are written out."""
    source = loop.node.iter if isinstance(loop.node, cst.For) else None
    if isinstance(source, (cst.List, cst.Tuple)):
        return len(source.elements) > 1
    if isinstance(source, cst.Call) and dotted(source.func) == "range" and len(source.args) == 1:
        ends = [o.node for o in origins(model, source.args[0].value)]
        return not ends or not all(isinstance(e, cst.Integer) and e.evaluated_value <= 1 for e in ends)
    return isinstance(loop.node, (cst.For, cst.While))


def _depends(model: ScriptModel, loader: Obj, loop: Loop, frames: list[Frame]) -> bool:
    """Whether what a loader is made of changes from round to round."""
    changing = assigned_in(model, loop.node)
    calls: list[cst.CSTNode | None] = [loader.node]
    for frame in frames:
        calls.append(frame.call)
        if frame is loop.frame:
            break
    for call in calls:
        for arg in call.args if isinstance(call, cst.Call) else ():
            for node in model.walk(arg.value):
                if isinstance(node, cst.Call):
                    return True
                if isinstance(node, (cst.Name, cst.Attribute)) and model.code(node) in changing:
                    return True
    return False


def _told(model: ScriptModel, loader: Obj, outer: Loop) -> bool:
    """Whether the loop changes the data set itself: workers that stay alive would not see it."""
    given = loader_argument(model, loader, "dataset")
    names = {model.code(given)} if given is not None else set()
    for node in model.walk(outer.node):
        member: cst.CSTNode | None = None
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            member = node.func if _CHANGES.match(node.func.attr.value) else None
        elif isinstance(node, cst.AssignTarget):
            member = node.target
        if isinstance(member, cst.Attribute):
            owner = model.code(member.value)
            if owner in names or owner.endswith(("dataset", "_set", ".ds")) or owner == "ds":
                return True
    return False


def _seeded(model: ScriptModel, loader: Obj) -> bool:
    """Whether workers learn the epoch as they start."""
    given = loader_argument(model, loader, "worker_init_fn")
    if given is None:
        return False
    codes = [model.code(given), *(model.code(function.body) for function in callables(model, given))]
    return any("epoch" in code for code in codes)


def _plan(model: ScriptModel, call: cst.Call, loader: Obj) -> Plan | None:
    value = value_of(loader, "num_workers")
    counts = options_of(value) if value is not None else ()
    certain = all(isinstance(c, Const) and isinstance(c.value, int) and c.value > 0 for c in counts)
    if not counts or not certain or value_of(loader, "persistent_workers") is not None:
        return None
    change = with_keyword(model, call, "persistent_workers", "True")
    return Plan(Applicability.UNSAFE, "keep the workers alive between epochs", (change,), _CAUTION)
