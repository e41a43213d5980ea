"""MEM703: `torch.save` of a view writes the whole storage behind it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Called, Part
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.views import is_small_part
from memlint.analysis.values import Tensor, Value
from memlint.catalogue import Rule
from memlint.detect.checkpoints.saved_views import (
    cloned,
    is_joined_elsewhere,
    is_one_view,
    is_saved_with_base,
)
from memlint.syntax.tree import dotted


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls of torch.save whose value, or a value of whose dictionary, is a view of a part."""
    seen: set[cst.CSTNode] = set()
    for event in model.trace.calls.values():
        if event.path != "torch.save" or not event.args or event.node in seen:
            continue
        match = _match(model, event)
        if match is not None:
            seen.add(event.node)
            yield match


def _match(model: ScriptModel, event: Called) -> Match | None:
    """The match for a call that saves a view of a larger storage; None where it saves whole tensors."""
    saved, call = event.args[0], event.node
    if not isinstance(call, cst.Call):
        return None
    part = _part(model, saved, alone=isinstance(saved, Tensor) or is_one_view(model, call, saved))
    if part is None or is_saved_with_base(model, call, saved, part) or is_joined_elsewhere(model, call):
        return None
    inside = call in model.ancestors(part.node)
    rows = _rows(model, part, call)
    view, base = (call.args[0].value, rows) if rows is not None else (part.node, part.base)
    return Match(
        call,
        {"view": model.short(view), "base": model.short(base), "saved": _shown(model, call)},
        labels=() if inside else (Label("the view is made here", part.node),),
        plans=cloned(model, call, saved),
    )


def _rows(model: ScriptModel, part: Part, call: cst.Call) -> cst.BaseExpression | None:
    """What a loop takes the saved rows from: `feats` in `for f, name in zip(feats, names)`."""
    loop, iterated = model.parent(part.node), part.node
    if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(iterated, cst.BaseExpression):
        return None
    target: cst.BaseExpression = loop.target
    while isinstance(iterated, cst.Call) and dotted(iterated.func) in ("zip", "enumerate") and iterated.args:
        place = 0
        if isinstance(target, cst.Tuple):
            around = {call.args[0].value, *model.walk(call.args[0].value)}
            saved = {n.value for n in around if isinstance(n, cst.Name)}
            parts = [model.names_in(e.value) for e in target.elements]
            place = next((i for i, names in enumerate(parts) if names & saved), 0)
            target = target.elements[place].value
        if dotted(iterated.func) == "enumerate":
            place = 0
        iterated = iterated.args[min(place, len(iterated.args) - 1)].value
    return iterated


def _shown(model: ScriptModel, call: cst.Call) -> str:
    value = call.args[0].value
    return "this dictionary" if isinstance(value, cst.Dict) else model.short(value)


def _part(model: ScriptModel, saved: Value, *, alone: bool) -> Part | None:
    """The selection behind what is saved; rows that are saved together share their storage in the file."""
    for tensor in tensors_in(model.machine, saved):
        for number in tensor.parts if isinstance(tensor, Tensor) else ():
            part = model.trace.parts.get(number)
            if part is not None and (alone or not part.every) and _is_cut(model, part):
                return part
    return None


def _is_cut(model: ScriptModel, part: Part) -> bool:
    """Whether the file holds clearly more than the view: also for a range of rows with computed bounds."""
    return is_small_part(model, part) or (part.every and isinstance(part.node, cst.Subscript))
