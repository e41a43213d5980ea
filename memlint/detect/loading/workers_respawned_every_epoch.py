"""MEM406: every epoch ends the worker processes of a loader and starts new ones."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Loop
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.knowledge import code_words, data_hints
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.worker_code import callables
from memlint.analysis.training.loading.workers import loader_argument, loaders, value_of, workers
from memlint.analysis.values import Const, Obj, options_of, truth
from memlint.catalogue import Rule
from memlint.detect.loading.repeated_passes import repeated
from memlint.finding import Applicability
from memlint.syntax.expressions import place, speaks_of
from memlint.syntax.tree import header_of

_CHANGES = frozenset("append extend insert pop remove clear sort reverse update add popleft".split())
_CAUTION = "the workers stay alive between epochs with the data set as it was when they started"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loaders with workers that are gone through again and again without persistent_workers."""
    seen: set[cst.CSTNode] = set()
    for loader in loaders(model):
        node = loader.node
        assert isinstance(node, cst.Call)
        if node in seen or workers(model, loader).kind != "some" or _persists(loader):
            continue
        found = repeated(model, loader)
        if found is None:
            continue
        outer, rebuilt = found
        if _told(model, loader, outer) or _seeded(model, loader):
            continue
        seen.add(node)
        plan = None if rebuilt else _plan(model, node, loader)
        written = "while " if isinstance(outer.node, cst.While) else ""
        values = {
            "loop": f"{written}{model.short(header_of(outer.node))}",
            "workers": workers(model, loader).code,
        }
        labels = (Label("each round of this loop starts the workers again", header_of(outer.node)),)
        variant = "rebuilt" if rebuilt else "default"
        yield Match(node, values, variant, labels, plans=(plan,) if plan is not None else ())


def _persists(loader: Obj) -> bool:
    """Whether workers stay, or may stay, alive: the argument is given, or keywords cannot be seen."""
    value = value_of(loader, "persistent_workers")
    return "**" in loader.args or (value is not None and truth(value) is not False)


def _told(model: ScriptModel, loader: Obj, outer: Loop) -> bool:
    """Whether the loop changes the data set itself: workers that stay alive would not see it."""
    given = loader_argument(model, loader, "dataset")
    names = _held(model, given) if given is not None else set()
    for node in model.walk(outer.node):
        member: cst.CSTNode | None = None
        if _changes(node, names):
            return True
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            member = node.func if data_hints.CHANGES_DATASET.match(node.func.attr.value) else None
        elif isinstance(node, cst.AssignTarget):
            member = node.target
        if isinstance(member, cst.Attribute):
            owner = place(member.value)
            if owner in names or owner.endswith(("dataset", "_set", ".ds")) or owner == "ds":
                return True
    return False


def _held(model: ScriptModel, given: cst.BaseExpression) -> set[str]:
    """The names of a data set, and of what it was made of."""
    made = [source.node for source in value_sources(model, given)]
    parts = (arg.value for call in made if isinstance(call, cst.Call) for arg in call.args)
    return {place(given), *map(place, parts)} - {""}


def _changes(node: cst.CSTNode, names: set[str]) -> bool:
    """Whether a list is changed: `rows.append(x)`, `rows[i] = x`, `rows += more`, `random.shuffle(rows)`."""
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value=method))):
            shuffled = method == "shuffle" and any(place(arg.value) in names for arg in node.args)
            return shuffled or (method in _CHANGES and place(owner) in names)
        case cst.AssignTarget(target=cst.Subscript(value=owner)) | cst.AugAssign(target=owner):
            return place(owner) in names
    return False


def _seeded(model: ScriptModel, loader: Obj) -> bool:
    """Whether workers learn the epoch as they start."""
    given = loader_argument(model, loader, "worker_init_fn")
    if given is None:
        return False
    parts = [given, *(function.body for function in callables(model, given))]
    return any(speaks_of(part, code_words.EPOCH) for part in parts)


def _plan(model: ScriptModel, call: cst.Call, loader: Obj) -> Plan | None:
    value = value_of(loader, "num_workers")
    counts = options_of(value) if value is not None else ()
    certain = all(isinstance(c, Const) and isinstance(c.value, int) and c.value > 0 for c in counts)
    if not counts or not certain or value_of(loader, "persistent_workers") is not None:
        return None
    change = with_keyword(model, call, "persistent_workers", "True")
    return Plan(Applicability.UNSAFE, "keep the workers alive between epochs", (change,), _CAUTION)
