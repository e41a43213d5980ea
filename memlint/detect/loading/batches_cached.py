"""MEM404: all batches of a loader are kept, by `itertools.cycle`, `list(loader)` or an `append` each."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.facts import Called
from memlint.analysis.fixes.moves import unused_import
from memlint.analysis.match import Change, InsertBefore, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.retained_values import Holding, holdings
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.values import Const, Items, Obj, Ref, Scalar, Trait, Value, options_of
from memlint.catalogue import Rule
from memlint.finding import Applicability

_VARIANTS = {
    "itertools.cycle": "default",
    "more_itertools.cycle": "default",
    "more_itertools.ncycles": "default",
    "itertools.tee": "tee",
    "builtins.list": "listed",
    "builtins.tuple": "listed",
    "builtins.sorted": "listed",
}
_NAME = re.compile(r"(^|_|data|train|val|valid|test|eval)_?loader\d*$|(^|_)dl$", re.IGNORECASE)
_FEW = re.compile(r"Subset\(.*range\(\d{1,3}\)|islice\(|batch_size\s*=\s*len\(", re.DOTALL)
_FOREVER = "forever"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls and stores that hold a whole epoch of batches."""
    seen: set[cst.CSTNode] = set()
    offered = False
    for event in sorted(model.trace.called.values(), key=lambda e: model.positions.get(e.node, 0)):
        match = _of_call(model, event, offer=not offered) if event.node not in seen else None
        if match is not None:
            seen.add(event.node)
            offered = offered or bool(match.plans)
            yield match
    for holding in holdings(model):
        if _keeps_batches(model, holding):
            yield _of_store(model, holding)


def _of_call(model: ScriptModel, event: Called, *, offer: bool) -> Match | None:
    variant, node = _VARIANTS.get(event.path), event.node
    if variant is None or not event.args or not isinstance(node, cst.Call) or not node.args:
        return None
    if not _is_loader(model, event.args[0]) or in_unit_test(model, event.frame):
        return None
    if isinstance(model.parent(node), cst.Subscript) and _is_guess(event.args[0]):
        # `list(d)[i]`: the keys of a mapping, more likely.
        return None
    given = node.args[0].value
    if _FEW.search(model.code(given)) and "cycle" not in event.path:
        return None
    plan = _endless(model, node) if variant == "default" and offer else None
    return Match(
        node,
        {"loader": model.short(_inner(model, given)), "code": model.short(node)},
        variant,
        plans=(plan,) if plan is not None else (),
    )


def _of_store(model: ScriptModel, holding: Holding) -> Match:
    keep = holding.keep
    comprehension = isinstance(keep.node, cst.BaseComp)
    clause = holding.loop.node
    source = clause.iter if isinstance(clause, (cst.For, cst.CompFor)) else None
    values = {
        "loader": model.short(_inner(model, source)) if source is not None else "the loader",
        "code": model.short(keep.node),
        "container": keep.target,
    }
    return Match(keep.node, values, "listed" if comprehension else "stored")


def _keeps_batches(model: ScriptModel, holding: Holding) -> bool:
    """Whether what is stored is the whole batch, as the loader gave it or moved, and nothing limits it."""
    keep, value = holding.keep, holding.loop.iterates
    if value is None or not _is_loader(model, value) or _FEW.search(holding.loop.source):
        return False
    if in_unit_test(model, keep.frame):
        return False
    if isinstance(keep.node, cst.BaseComp) and keep.node.for_in.ifs:
        return False
    whole = [m for m in holding.members if Trait.BATCH in m.traits]
    parts = [m for m in holding.members if Trait.MEMBER in m.traits]
    return bool(whole) or (bool(parts) and _bundles(keep.value, len(parts)))


def _bundles(value: Value, parts: int) -> bool:
    """Whether a value puts the parts of a batch together again: `(x, y)`, `{k: v.to(d) for k, v in ...}`."""
    if isinstance(value, Items):
        return parts > 1
    if not isinstance(value, Ref) or value.obj.kind != "dict":
        return False
    return parts > 1 or isinstance(value.obj.node, cst.DictComp)


def _is_loader(model: ScriptModel, value: Value) -> bool:
    """Whether a value is a loader; a name alone is not believed where the value may be something known."""
    known = [o.obj for o in options_of(value) if isinstance(o, Ref)]
    loaders = [obj for obj in known if _loads(model, obj)]
    return bool(loaders) and (len(loaders) == len(known) or not all(obj.guessed for obj in loaders))


def _is_guess(value: Value) -> bool:
    """Whether nothing but a name says that a value is a loader."""
    return all(o.obj.guessed for o in options_of(value) if isinstance(o, Ref))


def _loads(model: ScriptModel, obj: Obj) -> bool:
    """Whether an object is a loader of data worth speaking of, or an enumeration or zip of one."""
    if obj.id in model.trace.generators:
        return False
    if obj.kind != "loader":
        over = obj.args.get("over")
        return isinstance(over, Ref) and over.obj is not obj and _loads(model, over.obj)
    if obj.guessed and obj.node is None:
        return bool(_NAME.search(obj.name))
    dataset = obj.args.get("0", obj.args.get("dataset"))
    if isinstance(dataset, (Const, Scalar, Items)):
        return False
    if isinstance(dataset, Ref) and dataset.obj.kind == "list" and "constants" in dataset.obj.args:
        return False
    return obj.node is None or not _FEW.search(model.code(obj.node))


def _inner(model: ScriptModel, node: cst.BaseExpression) -> cst.BaseExpression:
    """The loader inside `iter(loader)`, `tqdm(loader)` and the like."""
    while isinstance(node, cst.Call) and node.args and model.code(node.func) in ("iter", "tqdm", "enumerate"):
        node = node.args[0].value
    return node


def _endless(model: ScriptModel, node: cst.Call) -> Plan | None:
    """Replace `itertools.cycle(loader)` by a generator that begins a new epoch each time."""
    given = node.args[0].value
    if isinstance(given, cst.Call) and model.code(given.func) == "iter" and len(given.args) == 1:
        given = given.args[0].value
    if not isinstance(given, (cst.Name, cst.Attribute)) or len(node.args) != 1:
        return None
    changes: tuple[Change, ...] = (
        Replace(node, f"{_FOREVER}({model.code(given)})"),
        *unused_import(model, node.func),
    )
    if not _defines_endless(model):
        place = [a for a in model.ancestors(node) if model.parent(a) is model.module]
        if _FOREVER in model.identifiers or not place:
            return None
        code = f"def {_FOREVER}(loader):\n    while True:\n        yield from loader\n\n\n"
        changes = (InsertBefore(place[0], "\n" * _missing_lines(place[0]) + code), *changes)
    return Plan(
        Applicability.UNSAFE,
        "begin a new epoch of the loader each time round",
        changes,
        "a shuffling loader then gives a new order in every epoch, which is usually wanted",
    )


def _missing_lines(statement: cst.CSTNode) -> int:
    """How many of the two empty lines that belong above a function are not there."""
    above = getattr(statement, "leading_lines", ())
    empty = next((n for n, line in enumerate(above) if line.comment is not None), len(above))
    return max(0, 2 - empty)


def _defines_endless(model: ScriptModel) -> bool:
    return any(
        isinstance(s, cst.FunctionDef) and s.name.value == _FOREVER and "yield from" in model.code(s)
        for s in model.module.body
    )
