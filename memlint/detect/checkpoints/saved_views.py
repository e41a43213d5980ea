"""The one view in what is saved, and the clone that takes its place."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Part
from memlint.analysis.fixes.plans import with_method
from memlint.analysis.match import Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const, Ref, Tensor, Value
from memlint.finding import Applicability
from memlint.syntax.expressions import same
from memlint.syntax.tree import last_name

_NEW = frozenset({"cat", "concat", "concatenate", "stack", "vstack", "hstack", "clone"})


def cloned(model: ScriptModel, call: cst.Call, saved: Value) -> tuple[Plan, ...]:
    """`.clone()` on the only view that is saved; none where several are saved together."""
    value: cst.BaseExpression | None = call.args[0].value
    if isinstance(value, cst.Dict) and isinstance(saved, Ref):
        value = _only_view(model, value, saved)
    elif not isinstance(saved, Tensor):
        value = None
    if value is None or call.args[0].star:
        return ()
    return (
        Plan(Applicability.SAFE, "add `.clone()`", (Replace(value, with_method(model, value, "clone()")),)),
    )


def is_one_view(model: ScriptModel, call: cst.Call, saved: Value) -> bool:
    """Whether a dictionary is written out that holds one view, and no other tensor shares its storage."""
    written = _written(call, saved)
    return (
        isinstance(written, cst.Dict)
        and isinstance(saved, Ref)
        and _only_view(model, written, saved) is not None
    )


def is_saved_with_base(model: ScriptModel, call: cst.Call, saved: Value, part: Part) -> bool:
    """Whether one call saves what the view is of, or other parts of it: one storage holds all of them."""
    whole = model.walk(_written(call, saved))
    own = set(model.walk(part.node)) if part.node in whole else set[cst.CSTNode]()
    return any(node not in own and same(node, part.base) for node in whole)


def is_joined_elsewhere(model: ScriptModel, call: cst.Call) -> bool:
    """Whether what is saved under a name is a view on one path only, and a new tensor on another: the first
    step of a prediction to which `torch.cat` adds the others."""
    given = call.args[0].value
    values = [e.value for e in given.elements] if isinstance(given, cst.Dict) else [given]
    sources = [s.node for value in values if isinstance(value, cst.Name) for s in value_sources(model, value)]
    return any(isinstance(s, cst.Call) and last_name(s.func) in _NEW for s in sources)


def _written(call: cst.Call, saved: Value) -> cst.BaseExpression:
    """What is saved, or the dictionary that its name stands for."""
    given = call.args[0].value
    made = saved.obj.node if isinstance(saved, Ref) and isinstance(given, cst.Name) else given
    return made if isinstance(made, cst.Dict) else given


def _only_view(model: ScriptModel, node: cst.Dict, saved: Ref) -> cst.BaseExpression | None:
    found = []
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            return None
        key = model.machine.constants.get(id(element.key))
        value = model.machine.read((saved.obj.id, f"[{key.value!r}]")) if isinstance(key, Const) else None
        if isinstance(value, Tensor) and value.parts:
            found.append(element.value)
    return found[0] if len(found) == 1 else None
