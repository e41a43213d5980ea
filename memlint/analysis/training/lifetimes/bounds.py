"""Whether a container is bounded: by a maximum length, a check of its size, or a loop up to a limit."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Loop, Store
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import (
    last_name,
    removals,
    removals_by_place,
    shown_container,
)
from memlint.analysis.training.lifetimes.locality import stays_local
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import place, shown_place
from memlint.syntax.tree import dotted


def has_maximum(model: ScriptModel, box: cst.BaseExpression) -> bool:
    """Whether a container of this name is made as a deque with a `maxlen`."""
    last = last_name(box)
    made = (r.value for r in removals(model, model.root_of(box)) if last_name(r.container) == last)
    return any(
        isinstance(v, cst.Call)
        and dotted(v.func).rpartition(".")[2] == "deque"
        and argument(v, 1, "maxlen") is not None
        for v in made
    )


def size_is_checked(model: ScriptModel, box: str, where: cst.CSTNode) -> bool:
    """Whether code compares `len(box)` with something."""
    wanted = shown_place(box)
    return any(
        type(node) is cst.Call
        and dotted(node.func) == "len"
        and bool(node.args)
        and place(node.args[0].value) == wanted
        and any(isinstance(above, cst.Comparison) for above in model.ancestors(node))
        for node in model.walk(where)
    )


def cut_to_a_limit(model: ScriptModel, box: str, where: cst.CSTNode) -> bool:
    """Whether code takes something out of a container, or binds it again, when it is longer than a limit."""
    wanted = shown_place(box)
    return any(
        any(place(r.container) == wanted for r in removals(model, test.body))
        for test in model.every(cst.If, where)
        if any(
            isinstance(target.operator, _ABOVE) and _measures(model, found.left, wanted)
            for found in model.every(cst.Comparison, test.test)
            for target in found.comparisons
        )
    )


def keeps_the_last(model: ScriptModel, box: str, where: cst.CSTNode) -> bool:
    """Whether code binds a container to its own last members, however many: `recent = recent[-size:]`."""
    return shown_place(box) in _cut_to_their_ends(model, where)


@cached
def _cut_to_their_ends(model: ScriptModel, where: cst.CSTNode) -> frozenset[str]:
    found = set()
    for line in model.every(cst.Assign, where):
        value = line.value
        if not isinstance(value, cst.Subscript) or len(value.slice) > 1:
            continue
        part = value.slice[0].slice
        start = part.lower if isinstance(part, cst.Slice) and part.upper is None else None
        if isinstance(start, cst.UnaryOperation) and isinstance(start.operator, cst.Minus):
            own = place(value.value)
            found |= {own} & {place(target.target) for target in line.targets}
    return frozenset(found - {""})


def lives_for_a_window(model: ScriptModel, box: str, loop: Loop) -> bool:
    """Whether a container or sum begins again in each branch in which an optimizer steps: it holds what one
    window of accumulation gave."""
    steps = {id(step.node) for step in model.trace.steps.values() if loop in step.loops}
    shown = shown_container(box) if steps else None
    wanted = place(shown) if shown is not None else ""
    here = removals_by_place(model, loop.node).get(wanted, ()) if wanted else ()
    return any(
        any(id(node) in steps for node in model.walk(above.body))
        for removal in here
        if removal.how in ("bound", "cleared")
        for above in model.ancestors(removal.node)
        if isinstance(above, cst.If) and loop.node in model.ancestors(above)
    )


def lives_for_a_step(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether a function that is one training step, by its name, fills a container of its own in a counted
    loop: a few updates of one batch, and the container is gone with the step."""
    function = model.function_of(loop.node)
    if function is None or not hints.STEP_FUNCTION.match(function.name.value):
        return False
    if not isinstance(loop.node, cst.For) or not loop.source.startswith("range("):
        return False
    return model.function_of(store.node) is function and stays_local(model, store.node, store.target)


def _measures(model: ScriptModel, node: cst.BaseExpression, wanted: str) -> bool:
    """Whether an expression is a container's length: `len(box)`, `box.shape[0]`, `box.size(0)`."""
    lengths = (c.args[0].value for c in model.every(cst.Call, node) if dotted(c.func) == "len" and c.args)
    sizes = (a.value for a in model.every(cst.Attribute, node) if a.attr.value in ("shape", "size", "numel"))
    return any(place(measured) == wanted for measured in (*lengths, *sizes))


def only_end_is_read(model: ScriptModel, box: cst.BaseExpression, where: cst.CSTNode) -> bool:
    """Whether code reads nothing of a container but its last members, `losses[-n:]`, and empties it nowhere:
    what lies before them is kept for nobody."""
    wanted = place(box)
    if not wanted or any(place(r.container) == wanted for r in removals(model, where)):
        return False
    reads = 0
    for node in model.walk(where):
        if type(node) is not type(box) or place(node) != wanted:
            continue
        above = model.parent(node)
        if isinstance(above, cst.Attribute) and above.attr.value in ("append", "extend"):
            continue
        part = above.slice[0].slice if isinstance(above, cst.Subscript) and above.value is node else None
        if not isinstance(part, cst.Slice) or part.upper is not None or part.lower is None:
            return False
        if not isinstance(part.lower, cst.UnaryOperation):
            return False
        reads += 1
    return reads > 0


_BELOW = (cst.LessThan, cst.LessThanEqual)
_ABOVE = (cst.GreaterThan, cst.GreaterThanEqual)


def filled_to_a_limit(model: ScriptModel, store: cst.CSTNode, loop: cst.CSTNode) -> bool:
    """Whether a loop stores only as long as a counter or the container's length is below a limit."""
    below: cst.CSTNode = store
    for above in model.ancestors(store):
        if above is loop:
            return False
        if isinstance(above, cst.If) and _limits(model, above.test, holds=below is above.body):
            return True
        below = above
    return False


def _limits(model: ScriptModel, test: cst.BaseExpression, *, holds: bool) -> bool:
    """Whether a condition ends at some time, where it `holds`, or begins to hold, where it does not."""
    return any(
        isinstance(target.operator, _BELOW if holds else _ABOVE)
        or (
            isinstance(target.operator, cst.Equal if holds else cst.NotEqual)
            and type(target.comparator) is cst.Integer
            and not any(isinstance(b.operator, cst.Modulo) for b in model.every(cst.BinaryOperation, found))
        )
        for found in model.every(cst.Comparison, test)
        for target in found.comparisons
    )
