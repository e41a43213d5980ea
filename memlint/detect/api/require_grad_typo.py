"""MEM908: a misspelt `requires_grad` is assigned, so that nothing is frozen."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import naming
from memlint.analysis.match import Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import is_plain_object, kind_of
from memlint.catalogue import Rule
from memlint.detect.api.corrected_switches import has_none_anyway, still_runs
from memlint.finding import Applicability
from memlint.syntax.expressions import literal, place, same
from memlint.syntax.tree import root_name

_SETTINGS = frozenset("args cfg config opt opts hparams options params_dict settings flags".split())

_CAUTION = "from then on these parameters really are frozen, or trained"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Assignments to the attribute, and `setattr` with its name."""
    typos = naming.MISSPELT_SWITCHES - _read_names(model)
    found = [(t, v) for t, v in _assigned(model) if t.attr.value in typos and not _is_own(model, t)]
    for target, value in found:
        if literal(value) is False and has_none_anyway(model, target.value):
            continue
        name, values = target.attr.value, {"name": model.short(target), "typo": target.attr.value}
        # What is frozen and released again is one mistake.
        places = [t for t, _ in found if _is_same(model, t, target)]
        plans = (_plan(model, target, value),) if still_runs(model, target.value, value) else ()
        yield Match(
            target,
            {**values, "value": model.short(value)},
            "method" if name.endswith("_") else "default",
            plans=plans,
            causes=tuple((t,) for t in places),
        )
    yield from _set_by_name(model)


def _is_same(model: ScriptModel, one: cst.Attribute, other: cst.Attribute) -> bool:
    """Whether two assignments are to the same attribute of the same place in one function."""
    return same(one, other) and model.function_of(one) is model.function_of(other)


def _plan(model: ScriptModel, target: cst.Attribute, value: cst.BaseExpression) -> Plan:
    """Assign the right name, or call the method that modules have: also for parts, which may be modules."""
    owner, assign = model.code(target.value), model.parent(model.parent(target) or target)
    part = isinstance(target.value, cst.Attribute) and target.value.attr.value not in ("weight", "bias")
    called = part or target.attr.value.endswith("_") or kind_of(model, target.value) == "module"
    change, title = Replace(target, f"{owner}.requires_grad"), "assign `requires_grad`"
    if called and isinstance(assign, cst.Assign) and len(assign.targets) == 1:
        code, title = f"{owner}.requires_grad_({model.code(value)})", "call `requires_grad_`"
        change = Replace(assign, code)
    return Plan(Applicability.UNSAFE, title, (change,), _CAUTION)


def _assigned(model: ScriptModel) -> Iterator[tuple[cst.Attribute, cst.BaseExpression]]:
    for node in model.names.preorder.nodes:
        if type(node) is cst.Assign:
            for target in node.targets:
                if type(target.target) is cst.Attribute:
                    yield target.target, node.value
        elif type(node) is cst.AnnAssign and type(node.target) is cst.Attribute and node.value is not None:
            yield node.target, node.value


def _read_names(model: ScriptModel) -> set[str]:
    """The attributes that the file reads: a name that is read is a flag of its own."""
    found = set()
    for node in model.names.every(cst.Attribute):
        if node.attr.value in naming.MISSPELT_SWITCHES:
            parent = model.parent(node)
            called = type(parent) is cst.Call and parent.func is node
            if type(parent) not in (cst.AssignTarget, cst.AnnAssign) and not called:
                found.add(node.attr.value)
    return found


def _is_own(model: ScriptModel, target: cst.Attribute) -> bool:
    """Whether the attribute is one of the object's own: of `self`, a setting, a field of a class, an object
    of a class that is no network."""
    owner = target.value
    if place(owner) in ("self", "cls", "ctx") or is_plain_object(model, owner):
        return True
    if not _SETTINGS.isdisjoint([root_name(owner), *place(owner).split(".")]):
        return True
    if any(
        type(node.target) is cst.Name and node.target.value == target.attr.value
        for node in model.names.every(cst.AnnAssign)
    ):
        return True
    units = model.cross_module.units.values() if model.cross_module is not None and model.trace.calls else ()
    return any(target.attr.value in unit.text for unit in units)


def _set_by_name(model: ScriptModel) -> Iterator[Match]:
    """`setattr(p, "require_grad", value)`: the misspelt name as a string."""
    for call in model.names.calls:
        if type(call.func) is not cst.Name or call.func.value != "setattr" or len(call.args) != 3:
            continue
        name = call.args[1].value
        if type(name) is cst.SimpleString and name.value[1:-1] in naming.MISSPELT_SWITCHES:
            quote = name.value[0]
            values = {
                "name": model.short(call),
                "typo": name.value[1:-1],
                "value": model.code(call.args[2].value),
            }
            fixed = Replace(name, f"{quote}requires_grad{quote}")
            plan = Plan(Applicability.UNSAFE, "set `requires_grad`", (fixed,), _CAUTION)
            runs = still_runs(model, call.args[0].value, call.args[2].value)
            yield Match(call, values, plans=(plan,) if runs else ())
