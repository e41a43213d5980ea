"""MEM404: all batches of a loader are kept, by `itertools.cycle`, `list(loader)` or an `append` each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.dataflow.execution_order import exclusive
from memlint.analysis.facts import Called
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.batch_values import numbers_rows
from memlint.analysis.training.loading.loader_values import (
    bundles,
    is_guess,
    is_loader,
    is_record,
    lacks_batches,
    takes_few,
)
from memlint.analysis.training.retained_values import RetainedValue, retained_values
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.traits import Trait
from memlint.catalogue import Rule
from memlint.detect.loading import loader_expressions as written
from memlint.detect.loading.cycled_batches import gives_batches
from memlint.detect.loading.endless_epochs import endless, is_made_as_loader
from memlint.detect.loading.meant_caches import is_asked_for, is_meant
from memlint.syntax.tree import header_of

_VARIANTS = {
    "itertools.cycle": "default",
    "more_itertools.cycle": "default",
    "more_itertools.ncycles": "default",
    "itertools.tee": "tee",
    "builtins.list": "listed",
    "builtins.tuple": "listed",
    "builtins.sorted": "listed",
}


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls and stores that hold a whole epoch of batches."""
    found: list[tuple[Called, Match]] = []
    for event in sorted(model.trace.calls.values(), key=lambda e: model.positions.get(e.node, 0)):
        known = any(event.node is other.node for other, _ in found)
        match = None if known else _of_call(model, event, offer=not any(m.plans for _, m in found))
        if match is not None:
            found.append((event, match))
    for event, match in found:
        # Of two branches that keep the same loader's batches, one runs.
        choice = [e for e, m in found if m.values == match.values and exclusive(model, e, event)]
        nodes = sorted([e.node for e in (event, *choice)], key=lambda n: model.positions.get(n, 0))
        yield replace(match, causes=tuple((node,) for node in nodes)) if choice else match
    for retained in retained_values(model):
        if _keeps_batches(model, retained):
            yield _of_store(model, retained)


def _of_call(model: ScriptModel, event: Called, *, offer: bool) -> Match | None:
    """The match for a call that keeps all batches of a loader: `list(loader)`, `cycle(loader)`."""
    variant, node = _VARIANTS.get(event.path), event.node
    if variant is None or not event.args or not isinstance(node, cst.Call) or not node.args:
        return None
    known = is_loader(model, event.args[0])
    made = variant == "default" and not known and is_made_as_loader(model, node.args[0].value)
    used = variant == "default" and not (known or made) and gives_batches(model, node, event.args[0])
    if not (known or made or used) or in_unit_test(model, event.frame):
        return None
    if lacks_batches(event.args[0]) or (event.path == "builtins.sorted" and is_guess(event.args[0])):
        return None  # batches have no order
    if isinstance(model.parent(node), cst.Subscript) and is_guess(event.args[0]):
        # `list(d)[i]`: the keys of a mapping, more likely.
        return None
    given = node.args[0].value
    if variant == "listed" and written.is_counted(model, node):
        variant = "counted"
    few = written.few_are_taken(model, node) if "cycle" in event.path else takes_few(given)
    if few or (variant == "listed" and (written.is_meant(model, node) or is_asked_for(model, node))):
        return None
    plan = written.its_length(model, node, event.args[0]) if variant == "counted" else ""
    plan = endless(model, node, event.args[0]) if variant == "default" and offer and known else plan
    values = {"loader": model.short(written.wrapped_loader(model, given)), "code": model.short(node)}
    plans, reason = ((), plan) if isinstance(plan, str) else ((plan,), "")
    return Match(node, values, "used" if used else variant, plans=plans, no_fix=reason)


def _of_store(model: ScriptModel, retained: RetainedValue) -> Match:
    store = retained.store
    comprehension, clause = isinstance(store.node, cst.BaseComp), retained.loop.node
    source = clause.iter if isinstance(clause, (cst.For, cst.CompFor)) else None
    values = {
        "loader": model.short(written.wrapped_loader(model, source)) if source is not None else "the loader",
        "code": model.short(store.node),
        "container": store.target,
    }
    counted = comprehension and written.is_counted(model, store.node)
    return Match(store.node, values, "counted" if counted else "listed" if comprehension else "stored")


def _keeps_batches(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is stored is the whole batch, as the loader gave it or moved, and nothing limits it."""
    store, value, node = retained.store, retained.loop.iterates, retained.store.node
    if value is None or not is_loader(model, value) or takes_few(header_of(retained.loop.node)):
        return False
    if in_unit_test(model, store.frame) or lacks_batches(value) or is_meant(model, retained):
        return False
    if isinstance(node, cst.BaseComp) and (node.for_in.ifs or written.is_joined(model, node)):
        return False
    inner = store.loops[store.loops.index(retained.loop) + 1 :] if retained.loop in store.loops else ()
    if any(loop.source.startswith("zip(") for loop in inner) or written.is_zipped(store):
        return False  # sample by sample: questions, answers and labels as well as tensors
    if numbers_rows(model, retained.loop.node, store.value_node):
        return False
    if any(Trait.BATCH in m.traits for m in retained.members):
        return True
    parts, row = sum(Trait.MEMBER in m.traits for m in retained.members), bool(inner)
    return parts > 0 and bundles(store.value, parts) and not is_record(model, store.value, row=row)
