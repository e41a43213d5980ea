"""MEM110: a hook stores something at every call, or hooks themselves pile up."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs
from memlint.catalogue import Rule
from memlint.detect.retention.registrations import Registration, container_of, registrations
from memlint.syntax.tree import dotted, root_name

_GROWING = frozenset("append extend appendleft insert add put".split())
_SMALL = re.compile(
    r"\.(item|tolist|shape|size|numpy|mean|sum|norm|std|var|max|min|abs\(\)\.max|dim|ndim|dtype|device|data_ptr"
    r"|cpu)\b|^(len|float|int|str|type|id)\(|to\([\"']cpu"
)
_OVER_MODULES = re.compile(
    r"modules|children|layers?\b|blocks?\b|parameters|convs?\b|names?\b|targets?\b|hooks?\b", re.IGNORECASE
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Hooks that append what they are given, and hooks that are registered again and again."""
    seen: set[cst.CSTNode] = set()
    for found in registrations(model):
        for store in _stores(model, found):
            if store[0] not in seen:
                seen.add(store[0])
                yield _stored(model, found, *store)
        if found.call not in seen and _piles_up(model, found):
            seen.add(found.call)
            yield Match(
                found.call, {"hook": model.short(found.call.func), "value": "", "container": ""}, "repeated"
            )


# --- what a hook stores ---------------------------------------------------------------------------


def _stores(
    model: ScriptModel, found: Registration
) -> Iterator[tuple[cst.Call, cst.BaseExpression, cst.BaseExpression]]:
    """(call, container, value) of each tensor that the hook adds to something older than itself."""
    if found.hook is None or not _runs_in_loop(model):
        return
    body = found.hook.body
    given = set(found.params)
    for node in model.walk(body):
        if isinstance(node, cst.Assign) and _mentions(model, node.value, given):
            given |= {t.target.value for t in node.targets if isinstance(t.target, cst.Name)}
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or not node.args:
            continue
        box, value = node.func.value, node.args[-1].value
        if node.func.attr.value not in _GROWING or not _mentions(model, value, given):
            continue
        if _SMALL.search(model.code(value)) or root_name(box) in given or _is_local(model, found.hook, box):
            continue
        if not _is_emptied(model, box) and not _lives_shortly(model, found.hook, box):
            yield node, box, value


def _mentions(model: ScriptModel, node: cst.CSTNode, names: set[str]) -> bool:
    return any(type(n) is cst.Name and n.value in names for n in model.walk(node))


def _is_local(model: ScriptModel, hook: cst.FunctionDef | cst.Lambda, box: cst.BaseExpression) -> bool:
    name = root_name(box)
    return any(
        isinstance(n, cst.AssignTarget) and type(n.target) is cst.Name and n.target.value == name
        for n in model.walk(hook.body)
    )


def _is_emptied(model: ScriptModel, box: cst.BaseExpression) -> bool:
    """Whether the container is cleared, bounded, or made anew somewhere but where it is first made."""
    name = container_of(model, box)
    made = []
    others = [] if model.owns(box) else _around(model, box)
    for node in (*model.walk(model.module), *others):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            emptying = node.func.attr.value in ("clear", "pop", "popleft", "popitem")
            if emptying and container_of(model, node.func.value) == name:
                return True
        elif isinstance(node, cst.Del) and re.search(rf"\b{re.escape(name)}\b", model.code(node)):
            return True
        elif isinstance(node, (cst.AssignTarget, cst.AnnAssign)):
            made += [node for part in _targets(node.target) if container_of(model, part) == name]
    if any("deque(" in model.code(model.parent(m) or m) for m in made):
        return True
    looped = any(isinstance(a, (cst.For, cst.While)) for m in made for a in model.ancestors(m))
    return len(made) > 1 or looped or (not made and type(box) is cst.Name)


def _lives_shortly(model: ScriptModel, hook: cst.FunctionDef | cst.Lambda, box: cst.BaseExpression) -> bool:
    """Whether the container belongs to an object that a loop makes anew each time round."""
    owner = model.class_of(hook) if root_name(box) == "self" else None
    if owner is None:
        return False
    made = [c for c in model.names.calls if dotted(c.func).rpartition(".")[2] == owner.name.value]
    loops = (cst.For, cst.While)
    return bool(made) and all(any(isinstance(a, loops) for a in model.ancestors(c)) for c in made)


def _targets(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    return [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]


def _runs_in_loop(model: ScriptModel) -> bool:
    return any(f.loops for f in model.trace.forwards.values())


def _stored(
    model: ScriptModel,
    found: Registration,
    call: cst.Call,
    box: cst.BaseExpression,
    value: cst.BaseExpression,
) -> Match:
    code = model.code(value)
    detached = ".detach()" in code or ".data" in code or found.is_backward
    recorded = any(
        f.loops
        and f.grad != "off"
        and not any(f.loops[-1] in b.loops for b in model.trace.backwards.values())
        for f in model.trace.forwards.values()
    )
    variant = "default" if not detached and recorded else "detached"
    labels = () if call in model.walk(found.call) else (Label("registered here", found.call),)
    values = {"container": model.short(box), "value": model.short(value), "hook": found.name}
    return Match(call, values, variant, labels=labels, giver=_giver(model, found))


def _giver(model: ScriptModel, found: Registration) -> cst.CSTNode | None:
    """The registration of a hook, or the call of this file that leads to it."""
    if model.owns(found.call):
        return found.call
    return next((model.home_call(event.frame) for event in found.events), None)


# --- hooks that pile up ---------------------------------------------------------------------------


def _piles_up(model: ScriptModel, found: Registration) -> bool:
    """Whether a module that lives on gets one more hook each time, and nothing ever removes one."""
    if found.is_tensor_hook or _removes(model, found):
        return False
    holder = model.parent(found.call)
    if isinstance(holder, cst.WithItem):
        return False
    function = model.function_of(found.call)
    if function is not None and function.name.value in ("forward", "training_step", "validation_step"):
        return root_name(found.call.func) == "self" and not _is_guarded(model, found.call, function)
    for event in found.events:
        for loop in event.loops:
            source = loop.source or model.code(loop.node)[:60]
            if isinstance(loop.node, cst.CompFor) or (_OVER_MODULES.search(source) and not is_epochs(loop)):
                continue
            if not (is_epochs(loop) or _works(model, loop)):
                continue
            if not _is_younger(model, found, loop.node) and not _is_guarded(model, found.call, loop.node):
                return True
    return False


def _works(model: ScriptModel, loop: Loop) -> bool:
    """Whether passes are made in a loop, forward or backward: else it only sets things up."""
    trace = model.trace
    events = (*trace.forwards.values(), *trace.backwards.values(), *trace.steps.values())
    return any(loop in event.loops for event in events)


def _removes(model: ScriptModel, found: Registration) -> bool:
    own = model.owns(found.call)
    calls = model.names.calls if own else (n for n in _around(model, found.call) if isinstance(n, cst.Call))
    return "remove_hook" in model.text or any(
        isinstance(c.func, cst.Attribute)
        and c.func.attr.value in ("remove", "close", "remove_hooks")
        and not c.args
        for c in calls
    )


def _around(model: ScriptModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    """All of the module that a node is part of."""
    return model.walk(model.root_of(node))


def _is_younger(model: ScriptModel, found: Registration, loop: cst.CSTNode) -> bool:
    """Whether the module that is hooked is made in the loop, or is what the loop runs through."""
    name = root_name(found.call.func) or "?"
    for node in model.walk(loop):
        if isinstance(node, cst.AssignTarget) and root_name(node.target) == name and name != "self":
            return True
    target = loop.target if isinstance(loop, (cst.For, cst.CompFor)) else None
    return target is not None and any(type(n) is cst.Name and n.value == name for n in model.walk(target))


def _is_guarded(model: ScriptModel, call: cst.Call, top: cst.CSTNode) -> bool:
    """Whether a condition lets the registration happen only once or now and then.

    What chooses among modules on the way through them (`if isinstance(module, nn.Conv2d)`) is no such one.
    """
    tests: list[cst.BaseExpression] = []
    for above in model.ancestors(call):
        if above is top:
            break
        if isinstance(above, cst.If):
            tests.append(above.test)
        elif isinstance(above, cst.For):
            walked = model.names_in(above.target)
            tests = [test for test in tests if not _mentions(model, test, walked)]
    return bool(tests)
