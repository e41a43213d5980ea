"""What a hook adds to a container older than itself, and whether the container is emptied."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_anywhere
from memlint.analysis.training.lifetimes.bounds import has_maximum
from memlint.analysis.training.lifetimes.locality import made_inside
from memlint.detect.retention.hook_lifetimes import lives_for_one_call, lives_shortly
from memlint.detect.retention.registrations import Registration
from memlint.detect.retention.stored_kinds import holds_objects
from memlint.syntax.expressions import calls_in, is_text, mentions
from memlint.syntax.tree import dotted, root_name, walk

_GROWING = frozenset("append extend appendleft insert add put".split())
_SMALLER = frozenset(
    "item tolist shape size numpy mean sum norm std var max min dim ndim dtype device data_ptr".split()
)
_NUMBERS = frozenset("len float int str type id".split())


def stores(
    model: ScriptModel, found: Registration
) -> Iterator[tuple[cst.Call, cst.BaseExpression, cst.BaseExpression]]:
    """(call, container, value) of each tensor that the hook adds to something older than itself."""
    if found.hook is None or not any(f.loops for f in model.trace.forwards.values()):
        return
    body = found.hook.body
    given = set(found.params)
    for node in model.walk(body):
        if isinstance(node, cst.Assign) and mentions(node.value, *given):
            given |= {t.target.value for t in node.targets if isinstance(t.target, cst.Name)}
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or not node.args:
            continue
        box, value = node.func.value, node.args[-1].value
        if node.func.attr.value not in _GROWING or not mentions(value, *given):
            continue
        made = _made_of(model, body, value)
        if _leaves_device(made) and (is_detached(found, made) or not (records(model) or _trains(model))):
            continue
        other = made_inside(model, body, box) or (node.func.attr.value == "add" and holds_objects(model, box))
        if _is_small(value) or root_name(box) in given or other:
            continue
        if lives_for_one_call(model, found, box, wanted=is_detached(found, value) or not records(model)):
            continue
        if not _is_emptied(model, box) and not lives_shortly(model, found.hook, box):
            yield node, box, value


def _made_of(model: ScriptModel, body: cst.CSTNode, value: cst.BaseExpression) -> cst.BaseExpression:
    """What the hook binds to the name that it stores, where that is one line; else what it stores."""
    name = value.value if type(value) is cst.Name else ""
    lines = [a for a in model.every(cst.Assign, body) if any(dotted(t.target) == name for t in a.targets)]
    return lines[0].value if name and len(lines) == 1 else value


def _is_small(value: cst.BaseExpression) -> bool:
    """Whether a value is a number, a statistic or the shape of a tensor."""
    if isinstance(value, cst.Call) and dotted(value.func) in _NUMBERS:
        return True
    return any(type(n) is cst.Attribute and n.attr.value in _SMALLER for n in walk(value))


def is_detached(found: Registration, value: cst.BaseExpression) -> bool:
    """Whether a value that a hook keeps carries no graph: it is cut off, or a gradient."""
    return mentions(value, "detach", "data") or found.is_backward


def records(model: ScriptModel) -> bool:
    """Whether a loop runs forwards that build autograd graphs, and no backward that frees them."""
    backwards = model.trace.backwards.values()
    return any(
        f.loops and f.grad != "off" and not any(f.loops[-1] in b.loops for b in backwards)
        for f in model.trace.forwards.values()
    )


def _trains(model: ScriptModel) -> bool:
    """Whether a loop runs backward through forwards: a copy on the host keeps the nodes of its graph then."""
    loops = {loop for b in model.trace.backwards.values() for loop in b.loops}
    return any(f.grad == "on" and not loops.isdisjoint(f.loops) for f in model.trace.forwards.values())


def _leaves_device(value: cst.BaseExpression) -> bool:
    """Whether a value is copied to the host: what it was computed from stays, unless it is detached."""
    if any(type(n) is cst.Attribute and n.attr.value == "cpu" for n in walk(value)):
        return True
    return any(call.args and is_text(call.args[0].value, "cpu") for call in calls_in(value, "to"))


def _is_emptied(model: ScriptModel, box: cst.BaseExpression) -> bool:
    """Whether the container is emptied or bounded, or comes from elsewhere by a name that nothing binds."""
    if has_maximum(model, box) or emptied_anywhere(model, model.code(box), taking=True):
        return True
    return type(box) is cst.Name and not made_inside(model, model.root_of(box), box)
