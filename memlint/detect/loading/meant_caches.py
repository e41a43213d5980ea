"""Batches that are kept on purpose: in a cache, for an index, or as what is optimized."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Store
from memlint.analysis.interpret.contents import tensors_in
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of
from memlint.analysis.training.containers import removals_by_place
from memlint.analysis.training.retained_values import RetainedValue
from memlint.analysis.traits import Trait
from memlint.analysis.values import Tensor
from memlint.syntax.expressions import literal, place
from memlint.syntax.tree import walk


def keyed(model: ScriptModel, store: Store) -> bool:
    """Whether the constructor of a class keeps something that the class itself gives out by its index."""
    owner = model.owner_class(store.frame) if store.frame.name == "__init__" else None
    methods = model.every(cst.FunctionDef, owner) if owner is not None else ()
    getters = [method for method in methods if method.name.value == "__getitem__"]
    return any(place(n) == store.target for getter in getters for n in model.every(cst.Attribute, getter))


def is_meant(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether a wrapper of a loader, by its `yield`, fills a cache, or what keeps them is to be in memory."""
    if hints.LOADS_AHEAD.search(retained.store.frame.name) or keyed(model, retained.store):
        return True
    if _is_optimized(model, retained.store.value_node) or is_asked_for(model, retained.store.node):
        return True
    if _is_result(model, retained):
        return True
    return bool(hints.CACHE.search(retained.store.target) and model.every(cst.Yield, retained.loop.node))


def _is_result(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether an evaluation gives back its inputs beside what the network made of them, in a container of its
    own, or a batch without what was taken out of it."""
    store, loop, trace = retained.store, retained.loop, model.trace
    if any(r.how == "taken" for r in removals_by_place(model, loop.node).get(place(store.value_node), ())):
        return True
    if not any(f.grad == "off" and f.loops == store.loops for f in trace.forwards.values()):
        return False
    others = (s for s in trace.stores.values() if s.frame is store.frame and s.loops == store.loops)
    beside = (s for s in others if s.grad == "off" and s.target != store.target and s.how == store.how)
    given = Trait.BATCH | Trait.MEMBER | Trait.SCALAR
    made = (member for s in beside for member in tensors_in(model.machine, s.value))
    return any(isinstance(member, Tensor) and not member.traits & given for member in made)


def _is_optimized(model: ScriptModel, value: cst.CSTNode) -> bool:
    """Whether what is kept is made of a batch and of an optimizer: the images themselves are trained."""
    if not isinstance(value, cst.Call):
        return False
    named = (given.keyword.value for given in value.args if given.keyword is not None)
    return "optimizer" in named or any(kind_of(model, given.value) == "optimizer" for given in value.args)


def is_asked_for(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether all batches are kept in a class that is a cache, or where an option asks for one, or for them:
    an argument that is False where nobody gives it, `args.save_samples`."""
    owner = model.class_of(node)
    if owner is not None and "cache" in owner.name.value.lower():
        return True
    tests = [above.test for above in model.ancestors(node) if isinstance(above, cst.If)]
    names = [n.value for test in tests for n in walk(test) if isinstance(n, cst.Name)]
    if any(hints.KEPT_IN_MEMORY.search(name) for name in names):
        return True
    members = (test for test in tests if isinstance(test, cst.Attribute))
    options = (m for m in members if hints.OPTIONS_OBJECT.search(place(m.value)))
    if any(hints.ASKS_FOR_RESULTS.match(option.attr.value) for option in options):
        return True
    around = model.function_of(node)
    given = [*around.params.params, *around.params.kwonly_params] if around is not None else []
    off = {p.name.value for p in given if p.default is not None and literal(p.default) is False}
    return any(isinstance(test, cst.Name) and test.value in off for test in tests)
