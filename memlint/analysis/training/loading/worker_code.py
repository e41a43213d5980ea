"""Which functions of the file run in the worker processes of a loader."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.functions import definition, definitions_meant, method, returned
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.placement import defaults_to_cuda, placed
from memlint.analysis.training.loading.workers import datasets, loader_argument
from memlint.analysis.values import Obj
from memlint.records import dataclass
from memlint.syntax.expressions import literal
from memlint.syntax.tree import last_name

_ITEM_METHODS = ("__getitem__", "__getitems__", "__iter__", "__next__")
_DEPTH = 5


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A function that workers run; role: "item" (of a data set), "transform" or "collate"."""

    function: cst.FunctionDef | cst.Lambda
    role: str
    klass: cst.ClassDef | None = None


def pieces(model: ScriptModel, loader: Obj) -> list[Piece]:
    """Every function that a loader's workers run, as far as the file shows."""
    found: list[Piece] = []
    collate = loader_argument(model, loader, "collate_fn")
    if collate is not None:
        for function in callables(model, collate):
            found += _closure(model, function, "collate")
    for dataset in datasets(model, loader):
        if dataset.klass is not None:
            found += item_code(model, dataset.klass)
        if isinstance(dataset.node, cst.Call) and not _runs_at_once(model, dataset.node):
            for arg in dataset.node.args:
                name = arg.keyword.value if arg.keyword is not None else ""
                if dataset.klass is not None and "transform" not in name:
                    continue
                for function in callables(model, arg.value):
                    found += _closure(model, function, "transform")
    return _distinct(found)


def _runs_at_once(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a call is `rows.map(...)` of the datasets library or its like, done in the main process."""
    methods = ("map", "filter")
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in methods:
        return False
    return not model.imports("torchdata", "webdataset", "torch.utils.data.datapipes")


def uses_cuda(model: ScriptModel, loader: Obj) -> bool:
    """Whether a loader's own functions put something on a CUDA device, or the file makes that the default."""
    return defaults_to_cuda(model) or any(
        isinstance(node, cst.Call) and placed(model, node) == "cuda"
        for piece in pieces(model, loader)
        for node in model.walk(piece.function.body)
    )


def may_make_objects(model: ScriptModel, loader: Obj) -> bool:
    """Whether the collate function may give objects of a class of its own, whose `to` takes what it likes."""
    collate = loader_argument(model, loader, "collate_fn")
    if collate is None or literal(collate) is None:
        return False
    found = [piece.function for piece in pieces(model, loader) if piece.role == "collate"]
    calls = (n.func for function in found for n in model.walk(function) if isinstance(n, cst.Call))
    return not found or any(_makes_object(model, func) for func in calls)


def _makes_object(model: ScriptModel, func: cst.BaseExpression) -> bool:
    if any(isinstance(meant, cst.ClassDef) for meant in definitions_meant(model, func)):
        return True
    path = model.path_of(func)
    return bool(path) and not path.startswith(("torch.", "numpy.")) and last_name(func)[:1].isupper()


def item_code(model: ScriptModel, klass: cst.ClassDef) -> list[Piece]:
    """What a data set class runs for an item, with the helpers that this calls."""
    found: list[Piece] = []
    for name in _ITEM_METHODS:
        start = method(model, klass, name)
        if start is not None:
            found += _closure(model, start, "item")
    for piece in list(found):
        for node in model.walk(piece.function.body):
            if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
                for function in callables(model, node.func):
                    found += _closure(model, function, "transform")
    return _distinct(found)


def collate_code(model: ScriptModel, function: cst.FunctionDef) -> list[Piece]:
    """A function that makes batches, with the helpers that it calls."""
    return _distinct(list(_closure(model, function, "collate")))


def _distinct(found: list[Piece]) -> list[Piece]:
    seen: dict[cst.CSTNode, Piece] = {}
    for piece in found:
        seen.setdefault(piece.function, piece)
    return list(seen.values())


def callables(
    model: ScriptModel, node: cst.BaseExpression, depth: int = _DEPTH
) -> list[cst.FunctionDef | cst.Lambda]:
    """The functions of the file that an expression stands for or is put together from."""
    return _callables(model, node, depth)


# Many calls lead to the same helpers, and each of these to several others.
@cached
def _callables(
    model: ScriptModel, node: cst.BaseExpression, depth: int
) -> list[cst.FunctionDef | cst.Lambda]:
    found: list[cst.FunctionDef | cst.Lambda] = []
    if depth == 0:
        return found
    for origin in value_sources(model, node):
        target = origin.node
        if origin.kind != "value":
            continue
        if isinstance(target, cst.Lambda):
            found.append(target)
        elif isinstance(target, (cst.Name, cst.Attribute)):
            named = definition(model, target) or _bound(model, target)
            if isinstance(named, cst.FunctionDef):
                found.append(named)
        elif isinstance(target, (cst.List, cst.Tuple)):
            for element in target.elements:
                found += callables(model, element.value, depth - 1)
        elif isinstance(target, cst.Call):
            found += _made(model, target, depth)
    return found


def _made(model: ScriptModel, call: cst.Call, depth: int) -> list[cst.FunctionDef | cst.Lambda]:
    """What an object that a call makes runs when it is called: its own method, or what it was given."""
    made = definition(model, call.func)
    if isinstance(made, cst.ClassDef):
        own = method(model, made, "__call__") or method(model, made, "forward")
        return [own] if own is not None else []
    if isinstance(made, cst.FunctionDef):
        returns = returned(model, made)
        found = [f for value in returns for f in callables(model, value, depth - 1)]
        inner = [n for n in model.walk(made.body) if isinstance(n, cst.FunctionDef)]
        names = {n.value for value in returns for n in model.walk(value) if isinstance(n, cst.Name)}
        return found + [f for f in inner if f.name.value in names and f not in found]
    return [f for arg in call.args for f in callables(model, arg.value, depth - 1)]


def _bound(model: ScriptModel, node: cst.Name | cst.Attribute) -> cst.FunctionDef | None:
    """The method in `dataset.collate`, where `dataset` is an object of a class of the file."""
    if not isinstance(node, cst.Attribute):
        return None
    for origin in value_sources(model, node.value):
        if isinstance(origin.node, cst.Call):
            klass = definition(model, origin.node.func)
            if isinstance(klass, cst.ClassDef):
                return method(model, klass, node.attr.value)
    return None


def _closure(model: ScriptModel, function: cst.FunctionDef | cst.Lambda, role: str) -> Iterator[Piece]:
    seen: set[cst.CSTNode] = set()
    waiting = [(function, 0)]
    while waiting:
        current, depth = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        yield Piece(current, role, model.class_of(current))
        if depth == _DEPTH:
            continue
        for node in model.walk(current.body):
            if isinstance(node, cst.Call):
                called = definition(model, node.func)
                if isinstance(called, cst.FunctionDef):
                    waiting.append((called, depth + 1))
