"""MEM407: code that runs in the workers of a loader uses CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.dataflow.definitions import definition
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import kept_on, placed
from memlint.analysis.training.loading.worker_code import Piece, collate_code, item_code, pieces
from memlint.analysis.training.loading.workers import (
    Workers,
    datasets,
    loader_argument,
    loaders,
    trainer_loaders,
    workers,
)
from memlint.analysis.values import Obj
from memlint.catalogue import Rule
from memlint.finding import Applicability

_DATASET = re.compile(r"(^|\.)(Iterable|Map|Vision|Concat|Tensor)?Dataset$")
_COLLATE = re.compile(r"(^|_)collate(_|$|fn)", re.IGNORECASE)
_RANKS = ("default", "maybe", "main", "purpose")
_CAUTION = "right only if the training loop moves every part of the batch that it uses"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Moves to CUDA, and uses of what lies there, in data set items, transforms and collate functions."""
    found: dict[cst.CSTNode, Match] = {}
    used: set[cst.CSTNode] = set()
    for loader in (*loaders(model), *trainer_loaders(model)):
        count = workers(model, loader)
        for piece in pieces(model, loader):
            used |= {piece.function}
            for match in _in_piece(model, piece, count, loader):
                _keep(found, replace(match, giver=loader.node))
        for match in _given(model, loader, count):
            _keep(found, match)
    for piece in _unused(model, used):
        for match in _in_piece(model, piece, Workers("unknown"), None):
            _keep(found, match)
    yield from found.values()


def _keep(found: dict[cst.CSTNode, Match], match: Match) -> None:
    known = found.get(match.node)
    if known is None or _RANKS.index(match.variant) < _RANKS.index(known.variant):
        found[match.node] = match


def _in_piece(model: ScriptModel, piece: Piece, count: Workers, loader: Obj | None) -> Iterator[Match]:
    where = _place(piece)
    for node in model.walk(piece.function.body):
        if isinstance(node, cst.Call):
            device = placed(model, node)
            if device in ("cuda", "unknown") and not _is_dead(model, node):
                variant = _variant(device, count, piece.role)
                if variant:
                    values = {"move": model.short(node), "place": where}
                    plan = _plan(model, node, piece, loader)
                    yield Match(node, values, variant, plans=(plan,) if plan is not None else ())
        elif count.kind == "some" and (held := _held(model, piece, node)) is not None:
            label = Label("put on the GPU here", held)
            assert isinstance(node, cst.BaseExpression)
            values = {"move": model.short(node), "place": where}
            yield Match(node, values, "default", (label,))
            return


def _variant(device: str, count: Workers, role: str) -> str:
    if count.kind == "some":
        return "default" if device == "cuda" else "maybe"
    if device != "cuda":
        return ""
    if count.kind == "unknown":
        return "maybe"
    return "purpose" if count.explicit or role != "item" else "main"


def _place(piece: Piece) -> str:
    name = piece.function.name.value if isinstance(piece.function, cst.FunctionDef) else "a lambda"
    if piece.klass is not None and name != "a lambda":
        return f"{piece.klass.name.value}.{name}"
    return name


def _held(model: ScriptModel, piece: Piece, node: cst.CSTNode) -> cst.Call | None:
    """The move that put an attribute or global which a worker reads on the GPU."""
    if isinstance(node, cst.Attribute):
        if piece.klass is None or not isinstance(node.value, cst.Name) or node.value.value != "self":
            return None
        return kept_on(model, node)
    if not isinstance(node, cst.Name) or not _is_read(model, node):
        return None
    owner = model.names.scope_of(node).owner(node.value)
    return kept_on(model, node) if owner is model.names.module_scope else None


def _is_read(model: ScriptModel, node: cst.Name) -> bool:
    """Whether a name is a value that is read, not the name of a keyword, member or target."""
    above = model.parent(node)
    if isinstance(above, (cst.Attribute, cst.Arg, cst.Call)):
        return node in (getattr(above, "value", None), getattr(above, "func", None))
    return not isinstance(above, (cst.AssignTarget, cst.Param, cst.FunctionDef, cst.NameItem))


def _given(model: ScriptModel, loader: Obj, count: Workers) -> Iterator[Match]:
    """Tensors on the GPU that a data set of the library is made of."""
    if count.kind != "some":
        return
    for dataset in datasets(model, loader):
        if not dataset.path.endswith("TensorDataset") or not isinstance(dataset.node, cst.Call):
            continue
        for arg in dataset.node.args:
            held = kept_on(model, arg.value)
            if held is not None:
                values = {"move": model.short(arg.value), "place": "TensorDataset"}
                labels = (Label("put on the GPU here", held),) if held is not arg.value else ()
                yield Match(arg.value, values, "default", labels)
                return


def _unused(model: ScriptModel, used: set[cst.CSTNode]) -> Iterator[Piece]:
    """Data sets and collate functions that no loader of the file is seen to use."""
    sets = [klass for klass in model.names.every(cst.ClassDef) if _is_dataset(model, klass)]
    if sets and not model.trace.loaders:
        made = {definition(model, call.func) for call in model.names.calls}
        sets = [klass for klass in sets if klass not in made]
    for klass in sets:
        yield from (p for p in item_code(model, klass) if p.function not in used and p.role == "item")
    for statement in model.module.body:
        if isinstance(statement, cst.FunctionDef) and _COLLATE.search(statement.name.value):
            yield from (p for p in collate_code(model, statement) if p.function not in used)


def _is_dataset(model: ScriptModel, klass: cst.ClassDef) -> bool:
    paths = (model.path_of(base.value) for base in klass.bases)
    return any(_DATASET.search(path) and path.startswith("torch") for path in paths)


def _is_dead(model: ScriptModel, node: cst.CSTNode) -> bool:
    return any(
        isinstance(above, cst.If) and model.code(above.test) in ("False", "0")
        for above in model.ancestors(node)
    )


def _plan(model: ScriptModel, call: cst.Call, piece: Piece, loader: Obj | None) -> Plan | None:
    """Leave the move out of a collate function where the training loop moves the batch anyway."""
    if piece.role != "collate" or loader is None or not isinstance(call.func, cst.Attribute):
        return None
    if len(call.args) > 1 or loader_argument(model, loader, "collate_fn") is None:
        return None
    if not any(_moves_batch(model, loop.node) for loop in model.trace.iterated.get(loader.id, ())):
        return None
    change = Replace(call, model.code(call.func.value))
    return Plan(Applicability.UNSAFE, "leave the batch on the CPU", (change,), _CAUTION)


def _moves_batch(model: ScriptModel, loop: cst.CSTNode) -> bool:
    """Whether a loop moves what its target names to a device."""
    if not isinstance(loop, cst.For):
        return False
    names = {n.value for n in model.walk(loop.target) if isinstance(n, cst.Name)}
    return any(
        isinstance(n, cst.Call)
        and isinstance(n.func, cst.Attribute)
        and isinstance(n.func.value, cst.Name)
        and n.func.value.value in names
        and placed(model, n) in ("cuda", "unknown")
        for n in model.walk(loop.body)
    )
