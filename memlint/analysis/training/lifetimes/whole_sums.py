"""Sums of losses that each training step differentiates as a whole, with the graphs of all steps before."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.functions import definitions_meant
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Backward, Loop, Store
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_anywhere, emptied_in, is_empty, removals
from memlint.analysis.training.lifetimes.locality import stays_local
from memlint.syntax.expressions import place, shown_place


def differentiated_whole(model: ScriptModel, store: Store) -> tuple[Loop, Backward] | None:
    """The training loop in each pass of which a backward runs through all of a sum, and that backward.

    The sum is begun again nowhere in the loop, and neither it nor the backward waits for a condition there.
    """
    if store.how != "sum" or not store.product:
        return None
    for loop in store.grows:
        if store.loops[-1] is not loop or not any(loop in s.loops for s in model.trace.steps.values()):
            continue
        for backward in model.trace.backwards.values():
            certain = backward.fills and not backward.unseen and backward.retain is not None
            if not certain or loop not in backward.older or backward.loops != store.loops:
                continue
            through = store.product in model.trace.ancestors(backward.ids, lightweight_only=True)
            if through and all(_in_each_pass(model, e.node, loop) for e in (store, backward)):
                again = _begins_again(model, store, loop) or _may_begin_out_of_view(model, store, loop)
                return None if again else (loop, backward)
    return None


def through_all_of_a_list(model: ScriptModel, store: Store, loops: list[Loop]) -> list[Loop]:
    """The loops in which a backward runs through a list that nothing in view empties, once more through what
    earlier passes left there: a variable's, or that of an object where the backward retains, or where the
    function that runs it empties another list of the object."""
    owner = store.target.rpartition(".")[0]
    if store.key[1] != CONTENT or (owner and not _is_never_emptied(model, store)):
        return []
    number = model.machine.number("content", store.key[0])
    filling = (b for b in model.trace.backwards.values() if b.fills and not b.unseen)
    through = [b for b in filling if number in model.trace.ancestors(b.ids)]
    if owner:
        again = {"retained": [b for b in through if b.retain is True]}
        again["reached"] = [b for b in through if _empties_another(model, store, b)]
        return [x for x in loops if any(x in b.loops for b in again.get(store.grows[x], ()))]
    return [x for x in loops if _goes_on_in(model, store, x) and any(x in b.loops for b in through)]


def _empties_another(model: ScriptModel, store: Store, backward: Backward) -> bool:
    """Whether the function that runs a backward empties another list of the same object: who wrote that would
    have emptied this one, too."""
    function = model.function_of(backward.node)
    if function is None:
        return False
    box, owner = store.target, store.target.rpartition(".")[0]
    emptied = (r.container for r in removals(model, function) if r.how == "cleared" or is_empty(r.value))
    return any(place(c) != box and place(c).rpartition(".")[0] == owner for c in emptied)


def _is_never_emptied(model: ScriptModel, store: Store) -> bool:
    """Whether nothing in view empties a list of an object, or makes the object again."""
    box, owner = store.target, store.target.rpartition(".")[0]
    if emptied_anywhere(model, box, taking=True) or _begins_again_by_init(model):
        return False
    return "." not in owner or not emptied_anywhere(model, owner, taking=True)


def _goes_on_in(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the list of a variable, which nobody else gets, is emptied nowhere in a training loop."""
    if loop.node is None or store.grows[loop] not in ("reached", "retained"):
        return False
    return stays_local(model, store.node, store.target) and not emptied_in(model, store.target, loop.node)


def _begins_again_by_init(model: ScriptModel) -> bool:
    """Whether a method makes all of its object again, `self.__init__()`."""
    called = [call.func for call in model.names.calls if isinstance(call.func, cst.Attribute)]
    again = (f.value for f in called if f.attr.value == "__init__")
    return any(isinstance(value, cst.Name) and value.value == "self" for value in again)


def _in_each_pass(model: ScriptModel, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether a statement stands in the body of a loop itself, or under nothing but `with` there."""
    for above in model.ancestors(node):
        if above is loop.node:
            return True
        if isinstance(above, (cst.If, cst.IfExp, cst.Try, cst.For, cst.While, cst.FunctionDef, cst.Lambda)):
            return False
    return False


def _begins_again(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the loop binds the sum to something else as well, as to 0 or to its own detached value."""
    wanted, line = shown_place(store.target), model.statement_of(store.node)
    found = (r for r in removals(model, loop.node) if place(r.container) == wanted)
    return any(model.statement_of(r.node) is not line for r in found) or any(
        place(call.func.value) == wanted and call.func.attr.value in ("detach_", "zero_", "fill_")
        for call in model.every(cst.Call, loop.node)
        if isinstance(call.func, cst.Attribute)
    )


def _may_begin_out_of_view(model: ScriptModel, store: Store, loop: Loop) -> bool:
    """Whether the object that holds the sum is handed to other code in the loop, or a method of it is called
    that no class in view has: `self.hooks.before(self)`, `self.begin_step()`."""
    owner, _, _ = shown_place(store.target).rpartition(".")
    trace = model.trace
    known = {e.node for e in (*trace.forwards.values(), *trace.criteria.values())}
    calls = [call for call in model.every(cst.Call, loop.node) if call not in known] if owner else []
    return any(
        any(place(arg.value) == owner for arg in call.args)
        or (
            isinstance(call.func, cst.Attribute)
            and place(call.func.value) == owner
            and not definitions_meant(model, call.func)
            and all(source.node is call.func for source in value_sources(model, call.func))
        )
        for call in calls
    )
