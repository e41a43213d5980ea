"""The loops that go through a loader again in every round."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import assigned_in
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Loop
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs
from memlint.analysis.values import NONE, Frame, Obj, Ref, Value, options_of
from memlint.syntax.tree import dotted


def repeated(model: ScriptModel, loader: Obj) -> tuple[Loop, bool] | None:
    """The loop that goes through a loader again in every round; True where it also makes it again."""
    made = model.trace.loader_calls.get(loader.id)
    if made is None:
        return None
    rounds = model.trace.iterated.get(loader.id, ())
    for loop in sorted(rounds, key=lambda loop: (len(loop.outer), model.positions[loop.node])):
        if not isinstance(loop.node, cst.For) or not loop.outer or _is_copy(model, loop.node.iter):
            continue
        kept = _kept_iterators(model, loader, loop)
        again = [x for x in loop.outer if x not in made.loops and x not in kept and _repeats(model, x)]
        if again:
            return next((outer for outer in again if is_epochs(outer)), again[-1]), False
        near = loop.outer[-1]
        made_again = bool(made.loops) and near is made.loops[-1] and _repeats(model, near)
        if made_again and not _depends(model, loader, near, made.frame.chain()):
            return near, True
    return None


def _kept_iterators(model: ScriptModel, loader: Obj, loop: Loop) -> set[Loop]:
    """The loops around one that only takes batches, `next(self.feed)`, of an iterator made before them."""
    if _goes_through(loop.iterates or NONE, loader):
        return set()
    drawn = [d for d in model.trace.draws.values() if any(o == Ref(loader) for o in options_of(d.value))]
    begun = [d for d in drawn if d.how == "iter"]
    return {x for x in loop.outer if begun and all(x not in d.loops for d in begun)}


def _goes_through(value: Value, loader: Obj, depth: int = 3) -> bool:
    """Whether a value is the loader, or an enumeration or zip of it."""
    objects = [o.obj for o in options_of(value) if isinstance(o, Ref)]
    inner = (obj.args["over"] for obj in objects if depth and "over" in obj.args)
    return loader in objects or any(_goes_through(v, loader, depth - 1) for v in inner)


def _is_copy(model: ScriptModel, iterated: cst.BaseExpression) -> bool:
    """Whether a loop goes through a list that the batches were put into, not through the loader."""
    calls = (o.node for o in value_sources(model, iterated) if isinstance(o.node, cst.Call))
    return not isinstance(iterated, cst.Call) and any(dotted(c.func) in ("list", "tuple") for c in calls)


def _repeats(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop runs more than once, as far as its numbers are written out."""
    source = loop.node.iter if isinstance(loop.node, cst.For) else None
    if isinstance(source, (cst.List, cst.Tuple)):
        return len(source.elements) > 1
    if isinstance(source, cst.Call) and dotted(source.func) == "range" and len(source.args) == 1:
        ends = [o.node for o in value_sources(model, source.args[0].value)]
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
                if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) in changing:
                    return True
    return False
