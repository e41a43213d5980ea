"""MEM405: every step makes a new iterator of a loader and takes one batch from it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.definitions import assigned_in, origins
from memlint.analysis.facts import Draw, Loop
from memlint.analysis.match import InsertBefore, Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs, is_micro_loop
from memlint.analysis.values import Frame, Ref, Value, options_of
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted

_NEXT = ("next", "__next__")
_ITERATORS = re.compile(r"^(iter|enumerate|zip|map|filter|cycle|chain|islice|tee|repeat)$")
_STEP_FUNCTION = re.compile(r"^(train(ing)?_?(step|batch|iter(ation)?)|step_fn|one_step)$", re.IGNORECASE)
_SHORT = 10
_CAUTION = "the order of batches changes: each pass then goes through all of them"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Iterators made and used for one batch in a loop that trains."""
    seen: set[cst.CSTNode] = set()
    for draw in model.trace.draws.values():
        if draw.how != "iter" or draw.node in seen:
            continue
        known = _loader(draw.value)
        source = _iterated(draw.node)
        if not known or source is None or _is_iterator(model, source):
            continue
        taken = _taken(model, draw)
        if taken is None or not _each_step(model, draw):
            continue
        seen.add(draw.node)
        plan = _plan(model, draw, source)
        labels = (Label("takes one batch and drops the rest", taken),) if taken is not draw.node else ()
        yield Match(
            draw.node,
            {"loader": model.short(source)},
            "default" if known == "made" else "named",
            labels,
            plans=(plan,) if plan is not None else (),
        )


def _loader(value: Value, depth: int = 3) -> str:
    """ "made" for a DataLoader that the file makes, "named" for what is only called one, "" otherwise."""
    found = ""
    for option in options_of(value):
        if not isinstance(option, Ref):
            continue
        obj = option.obj
        over = obj.args.get("over")
        if obj.kind == "loader" and not (obj.cls is not None and obj.cls.find("__iter__")):
            if not obj.guessed:
                found = "made"
            elif "iter" not in obj.name.lower():
                found = found or "named"
        elif obj.kind == "list" and over is not None and depth:
            found = _loader(over, depth - 1) or found
    return found


def _iterated(node: cst.CSTNode) -> cst.BaseExpression | None:
    """The `x` of `iter(x)` or `x.__iter__()`."""
    if not isinstance(node, cst.Call):
        return None
    if isinstance(node.func, cst.Attribute):
        return node.func.value
    return node.args[0].value if node.args else None


def _is_iterator(model: ScriptModel, source: cst.BaseExpression) -> bool:
    """Whether `source` already is an iterator, of which `iter` makes no new one, or one batch of all data."""
    for origin in origins(model, source):
        if not isinstance(origin.node, cst.Call):
            continue
        if _ITERATORS.match(dotted(origin.node.func).rpartition(".")[2]):
            return True
        sizes = [
            a.value for a in origin.node.args if a.keyword is not None and a.keyword.value == "batch_size"
        ]
        if any("len(" in model.code(o.node) for s in sizes for o in origins(model, s)):
            return True
    return False


def _taken(model: ScriptModel, draw: Draw) -> cst.CSTNode | None:
    """The `next` that takes from the new iterator in the same round of the same loop."""
    above = model.parent(draw.node)
    if isinstance(above, cst.Attribute):
        return draw.node if above.attr.value in _NEXT else None
    if isinstance(above, cst.Arg):
        call = model.parent(above)
        return draw.node if isinstance(call, cst.Call) and dotted(call.func) == "next" else None
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return None
    name = model.code(above.targets[0].target)
    inside = draw.loops[-1] if draw.loops else None
    takes = [d for d in _calls_of_next(model, draw.frame) if _from(model, d) == name]
    loops = [_innermost(model, node) for node in takes]
    here = _innermost(model, draw.node)
    if inside is None or not takes or any(loop is not here for loop in loops):
        return None
    return takes[0]


def _calls_of_next(model: ScriptModel, frame: Frame) -> list[cst.Call]:
    """Every `next(x)`, `x.next()` and `for` source written in the function that a frame runs."""
    return [n for n in model.walk(frame.node) if type(n) is cst.Call and _from(model, n)]


def _from(model: ScriptModel, call: cst.Call) -> str:
    if isinstance(call.func, cst.Name) and call.func.value == "next" and call.args:
        return model.code(call.args[0].value)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _NEXT:
        return model.code(call.func.value)
    return ""


def _innermost(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode | None:
    for above in model.ancestors(node):
        if isinstance(above, (cst.For, cst.While)):
            return above
        if isinstance(above, cst.FunctionDef):
            return None
    return None


def _each_step(model: ScriptModel, draw: Draw) -> bool:
    """Whether the iterator is made anew for every batch that is trained on."""
    if any(isinstance(above, cst.Yield) for above in model.ancestors(draw.node)):
        return bool(draw.loops) and not _sometimes(model, draw, draw.loops[-1])
    if not draw.loops:
        return bool(_STEP_FUNCTION.match(draw.frame.name)) and not _sometimes(model, draw, None)
    loop = draw.loops[-1]
    if len(draw.loops) > 1 and _one_of_each(draw, loop):
        loop = draw.loops[-2]
    if isinstance(loop.node, cst.CompFor) or loop.frame.name in ("__getitem__", "__iter__"):
        return False
    if loop is draw.loops[0] and _is_short(model, loop):
        return False
    trains = any(
        b.loops and loop in b.loops and _directly(model, loop, b.loops)
        for b in model.trace.backwards.values()
    )
    return trains and not _sometimes(model, draw, loop)


def _one_of_each(draw: Draw, loop: Loop) -> bool:
    """Whether a loop goes through several loaders, to take one batch of each."""
    source = _iterated(draw.node)
    return (
        isinstance(loop.node, cst.For) and source is not None and dotted(loop.node.target) == dotted(source)
    )


def _is_short(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop counts to ten at most, as in a demonstration or a test."""
    source = loop.node.iter if isinstance(loop.node, cst.For) else None
    if not isinstance(source, cst.Call) or dotted(source.func) != "range" or len(source.args) != 1:
        return False
    ends = [o.node for o in origins(model, source.args[0].value)]
    return all(isinstance(end, cst.Integer) and end.evaluated_value <= _SHORT for end in ends)


def _directly(model: ScriptModel, loop: Loop, loops: tuple[Loop, ...]) -> bool:
    """Whether a backward under `loops` belongs to one round of `loop`, micro-batches included."""
    inner = loops[loops.index(loop) + 1 :]
    return not inner or (not is_epochs(loop) and all(is_micro_loop(model.trace, x, loops) for x in inner))


def _sometimes(model: ScriptModel, draw: Draw, loop: Loop | None) -> bool:
    """Whether the iterator is only made in some rounds: on exhaustion, every n steps, the first time."""
    node: cst.CSTNode = draw.node
    for frame in draw.frame.chain():
        for above in model.ancestors(node):
            if above is frame.node or (loop is not None and above is loop.node):
                break
            if isinstance(above, (cst.ExceptHandler, cst.ExceptStarHandler, cst.Lambda)):
                return True
            if isinstance(above, (cst.If, cst.IfExp)) and _varies(model, above, loop):
                return True
        if (loop is not None and frame is loop.frame) or frame.call is None:
            return False
        node = frame.call
    return False


def _varies(model: ScriptModel, branch: cst.If | cst.IfExp, loop: Loop | None) -> bool:
    """Whether the condition of a branch can change from step to step."""
    changing = assigned_in(model, branch.body) | (
        assigned_in(model, loop.node) if loop is not None else set()
    )
    for node in model.walk(branch.test):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
            return True
        if isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, cst.Is):
            return True
        if isinstance(node, (cst.Name, cst.Attribute)) and model.code(node) in changing:
            return True
    return False


def _plan(model: ScriptModel, draw: Draw, source: cst.BaseExpression) -> Plan | None:
    """An iterator made once before the loop, and again when it is used up."""
    line = model.statement_of(draw.node)
    above = model.parent(draw.node)
    call = model.parent(above) if isinstance(above, cst.Arg) else None
    loop = next((a for a in model.ancestors(draw.node) if isinstance(a, (cst.For, cst.While))), None)
    if (
        not isinstance(line, cst.SimpleStatementLine)
        or len(line.body) != 1
        or not isinstance(line.body[0], cst.Assign)
        or not isinstance(call, cst.Call)
        or len(call.args) != 1
        or not isinstance(loop, (cst.For, cst.While))
        or model.function_of(loop) is not model.function_of(line)
        or not dotted(source)
    ):
        return None
    text = model.code(line.body[0])
    taking = model.code(call)
    name = f"{dotted(source).rpartition('.')[2]}_iter"
    if name in model.identifiers or text.count(taking) != 1 or dotted(source) in assigned_in(model, loop):
        return None
    made = f"{name} = iter({model.code(source)})"
    take = text.replace(taking, f"next({name})")
    body = f"try:\n    {take}\nexcept StopIteration:\n    {made}\n    {take}"
    changes = (InsertBefore(loop, made), Replace(line, body))
    return Plan(Applicability.UNSAFE, "make the iterator once, before the loop", changes, _CAUTION)
