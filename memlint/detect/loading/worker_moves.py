"""Which uses of the GPU the code that a worker runs has: moves, and what already lies there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.functions import definition
from memlint.analysis.knowledge import data_hints
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import kept_on
from memlint.analysis.training.loading.worker_code import Piece, collate_code, item_code
from memlint.analysis.training.loading.workers import (
    Workers,
    datasets,
)
from memlint.analysis.values import Obj

_DATASET = re.compile(r"(^|\.)(Iterable|Map|Vision|Concat|Tensor)?Dataset$")


def held_on_gpu(model: ScriptModel, piece: Piece, node: cst.CSTNode) -> cst.Call | None:
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


def given_on_gpu(model: ScriptModel, loader: Obj, count: Workers) -> Iterator[Match]:
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


def unused_pieces(model: ScriptModel, used: set[cst.CSTNode]) -> Iterator[Piece]:
    """Data sets and collate functions that no loader of the file is seen to use."""
    sets = [klass for klass in model.names.every(cst.ClassDef) if _is_dataset(model, klass)]
    by_itself = _indexed_by_themselves(model) if sets else set()
    sets = [klass for klass in sets if klass not in by_itself]
    if sets and not model.trace.loaders:
        made = {definition(model, call.func) for call in model.names.calls}
        sets = [klass for klass in sets if klass not in made]
    for klass in sets:
        yield from (p for p in item_code(model, klass) if p.function not in used and p.role == "item")
    for statement in model.module.body:
        name = statement.name.value if isinstance(statement, cst.FunctionDef) else ""
        if not isinstance(statement, cst.FunctionDef) or not data_hints.COLLATE_FUNCTION.search(name):
            continue
        if not name.startswith("_") or _is_named(model, name):
            yield from (p for p in collate_code(model, statement) if p.function not in used)


def _indexed_by_themselves(model: ScriptModel) -> set[cst.CSTNode]:
    """The classes whose own methods draw the items, `self[i]`, in the process that they run in, with the
    bases whose items these are."""
    found: set[cst.CSTNode] = set()
    pending = [
        model.class_of(node)
        for node in model.names.every(cst.Subscript)
        if isinstance(node.value, cst.Name) and node.value.value == "self"
    ]
    while pending:
        klass = pending.pop()
        if klass is not None and klass not in found:
            found.add(klass)
            bases = (definition(model, base.value) for base in klass.bases)
            pending += [base for base in bases if isinstance(base, cst.ClassDef)]
    return found


def _is_named(model: ScriptModel, name: str) -> bool:
    """Whether the file names one of its functions anywhere else than where it is defined."""
    names = (n for n in model.names.every(cst.Name) if n.value == name)
    return any(not isinstance(model.parent(n), cst.FunctionDef) for n in names)


def _is_dataset(model: ScriptModel, klass: cst.ClassDef) -> bool:
    paths = (model.path_of(base.value) for base in klass.bases)
    return any(_DATASET.search(path) and path.startswith("torch") for path in paths)
