"""What `itertools.cycle` goes through, where no name says that it is a loader, but its use does."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.knowledge.libraries import DEVICE_MOVES
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Unknown, Value
from memlint.syntax.expressions import called_on
from memlint.syntax.tree import last_name


def gives_batches(model: ScriptModel, cycled: cst.Call, value: Value) -> bool:
    """Whether what each turn takes from a cycle over an argument is moved to a device for a network that the
    turn trains: that is how the batches of a loader are used."""
    if not isinstance(value, Unknown) or not isinstance(cycled.args[0].value, (cst.Name, cst.Attribute)):
        return False
    taken = _taken(model, cycled)
    for forward in model.trace.forwards.values() if taken else ():
        trained = any(set(step.loops) & set(forward.loops) for step in model.trace.steps.values())
        args = forward.node.args if isinstance(forward.node, cst.Call) else ()
        moved = (arg.value for arg in args if isinstance(arg.value, cst.Call))
        sources = (called_on(call, DEVICE_MOVES) for call in moved)
        if trained and any(isinstance(source, cst.Name) and source.value in taken for source in sources):
            return True
    return False


def _taken(model: ScriptModel, cycled: cst.Call) -> set[str]:
    """The names that a loop over a cycle, or over a zip with one in it, or `next()` of it binds."""
    above = model.parent(cycled)
    zipped = model.parent(above) if isinstance(above, cst.Arg) else None
    loop = model.parent(zipped) if isinstance(zipped, cst.Call) else above
    if isinstance(loop, cst.For):
        if not isinstance(zipped, cst.Call):
            return set(model.names_in(loop.target))
        places = [arg.value for arg in zipped.args] if last_name(zipped.func) == "zip" else []
        elements = loop.target.elements if isinstance(loop.target, cst.Tuple) else ()
        pairs = zip(places, elements, strict=False)
        return {n for place, element in pairs if place is cycled for n in model.names_in(element.value)}
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return set()
    name = last_name(above.targets[0].target)
    assigned = (line for line in model.names.every(cst.Assign) if _is_next(line.value, name))
    return {n for line in assigned for target in line.targets for n in model.names_in(target.target)}


def _is_next(node: cst.BaseExpression, name: str) -> bool:
    called = isinstance(node, cst.Call) and last_name(node.func) == "next" and len(node.args) == 1
    return called and isinstance(node, cst.Call) and last_name(node.args[0].value) == name
