"""DataLoader calls whose arguments exclude one another, or leave no batch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.constants import MISSING, constant, sole_value, values_of
from memlint.analysis.fixes.keyword_tables import calls
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.workers import LOADER_PARAMETERS, loaders, value_of
from memlint.analysis.values import Const
from memlint.syntax.expressions import place, reads_place
from memlint.syntax.tree import dotted

_TORCH = ["torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"]
_OTHERS = ["torch_geometric.loader.DataLoader", "torch_geometric.data.DataLoader", "monai.data.DataLoader"]
_NEED_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout")
_TENSORS = frozenset("randn rand zeros ones empty arange randint full".split())


@dataclass(frozen=True, slots=True)
class Conflict:
    """An argument of a DataLoader call that cannot go with another one.

    kind: "workers" (needs worker processes, there are none), "exclusive" (ruled out by `other`),
    "maybe" (ruled out on some paths), "iterable" (the dataset has no order to shuffle), "empty" (every
    batch is dropped).
    """

    kind: str
    call: cst.Call
    arg: cst.Arg
    name: str
    other: str


def conflicts(table: Table) -> Iterator[Conflict]:
    """Every such argument of the file's DataLoader calls."""
    written = [
        conflict
        for _, call in calls(table, {"api": _TORCH})
        for conflict in _of_call(table.model, call, _by_name(call, LOADER_PARAMETERS))
    ]
    # Several calls may lead to one loader.
    passed = {conflict.arg: conflict for conflict in (*_passed(table.model), *written)}
    yield from passed.values()
    for _, call in calls(table, {"api": _OTHERS}):
        yield from _of_call(table.model, call, _by_name(call, LOADER_PARAMETERS[:1]))


def _by_name(call: cst.Call, positions: list[str]) -> dict[str, cst.Arg]:
    found: dict[str, cst.Arg] = {}
    for number, arg in enumerate(call.args):
        if arg.star:
            found[arg.star] = arg
        elif arg.keyword is not None:
            found[arg.keyword.value] = arg
        elif number < len(positions):
            found[positions[number]] = arg
    return found


def _of_call(model: ScriptModel, call: cst.Call, args: dict[str, cst.Arg]) -> Iterator[Conflict]:
    if "*" in args:
        return

    spread = _spread(model, args["**"].value) if "**" in args else {}

    def value(name: str, default: object) -> object:
        given = args[name].value if name in args else spread.get(name) if spread is not None else None
        if given is not None:
            return constant(model, given)
        return MISSING if spread is None else default

    def conflict(kind: str, name: str, other: str) -> Conflict:
        return Conflict(kind, call, args[name], name, other)

    if value("num_workers", 0) == 0 and value("num_workers", 0) is not False:
        for name in _NEED_WORKERS:
            if name in args and _asks_for_workers(model, name, value(name, None)):
                yield conflict("workers", name, "num_workers=0")
    if "batch_sampler" in args and _is_given(model, args["batch_sampler"]) == "always":
        for name in ("batch_size", "shuffle", "sampler", "drop_last"):
            if name in args and _rules_out_batch_sampler(model, name, args[name]):
                yield conflict("exclusive", name, "batch_sampler")
    elif "sampler" in args and value("shuffle", False) is True:
        how = _is_given(model, args["sampler"])
        if how and not _asked_about(model, call, args["sampler"]):
            yield conflict("exclusive" if how == "always" else "maybe", "shuffle", "sampler")
    if value("drop_last", False) is True and "drop_last" in args:
        size = value("batch_size", 1)
        if size is None:
            yield conflict("exclusive", "drop_last", "batch_size=None")
        length = _length(model, args["dataset"].value) if "dataset" in args else None
        if isinstance(size, int) and length is not None and size > length:
            yield conflict("empty", "drop_last", f"batch_size={size}")
    if value("shuffle", False) is True and "dataset" in args and _is_iterable(model, args["dataset"].value):
        yield conflict("iterable", "shuffle", "IterableDataset")


def _passed(model: ScriptModel) -> Iterator[Conflict]:
    """Loaders that a caller leaves without workers by what it passes: `make_loader(data, workers=0)`."""
    for loader in loaders(model):
        assert isinstance(loader.node, cst.Call)
        args, count = _by_name(loader.node, LOADER_PARAMETERS), value_of(loader, "num_workers")
        if not isinstance(count, Const) or type(count.value) is not int or count.value or "*" in args:
            continue
        if "num_workers" not in args or _asked_about(model, loader.node, args["num_workers"]):
            continue
        for name in _NEED_WORKERS:
            value = value_of(loader, name)
            if name in args and isinstance(value, Const) and _asks_for_workers(model, name, value.value):
                yield Conflict("workers", loader.node, args[name], name, "num_workers=0")


def _spread(model: ScriptModel, node: cst.BaseExpression) -> dict[str, cst.BaseExpression] | None:
    """The keywords that `**node` gives, where the file writes them all in one place; None elsewhere."""
    if isinstance(node, cst.Name):
        found = sole_value(model, node)
        if found is None or re.search(rf"\b{node.value}(\[|\.(update|setdefault|pop)\(| \|=)", model.text):
            return None
        node = found
    if isinstance(node, cst.Dict):
        pairs = [e for e in node.elements if isinstance(e, cst.DictElement)]
        named = {str(e.key.evaluated_value): e.value for e in pairs if isinstance(e.key, cst.SimpleString)}
        return named if len(named) == len(node.elements) else None
    if isinstance(node, cst.Call) and dotted(node.func) == "dict":
        given = {a.keyword.value: a.value for a in node.args if a.keyword is not None}
        return given if len(given) == len(node.args) else None
    return None


def _asks_for_workers(model: ScriptModel, name: str, value: object) -> bool:
    if name == "persistent_workers":
        return value is True
    if name == "timeout":
        return isinstance(value, (int, float)) and value > 0
    if name == "prefetch_factor":
        # Before torch 2.0 the default was 2, and giving it was no error.
        old = model.target_torch is not None and model.target_torch < (2, 0)
        return isinstance(value, int) and not (old and value == 2)
    return isinstance(value, str)


def _is_given(model: ScriptModel, arg: cst.Arg) -> str:
    """Whether an argument is an object: "always", "sometimes" (None on other paths), "" if not known."""
    node = arg.value
    if isinstance(node, cst.Call):
        return "always" if _makes_sampler(node) else ""
    if isinstance(node, cst.IfExp):
        return "sometimes" if _is_choice(node) else ""
    if not isinstance(node, cst.Name):
        return ""
    values = values_of(model, node)
    if None in values:
        return ""
    kinds = {_kind(v) for v in values if v is not None}
    if kinds == {"made"}:
        return "always"
    return "sometimes" if "?" not in kinds and kinds & {"made", "either"} else ""


def _kind(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        return "made" if _makes_sampler(node) else "?"
    if isinstance(node, cst.IfExp):
        return "either" if _is_choice(node) else "?"
    return "none" if dotted(node) == "None" else "?"


def _is_choice(node: cst.IfExp) -> bool:
    return {_kind(node.body), _kind(node.orelse)} == {"made", "none"}


def _makes_sampler(call: cst.Call) -> bool:
    """Whether a call is the constructor of a sampler, rather than a function that may return None."""
    return dotted(call.func).rpartition(".")[2].endswith("Sampler")


def _asked_about(model: ScriptModel, call: cst.Call, arg: cst.Arg) -> bool:
    """Whether a condition around a call asks for the sampler."""
    name = place(arg.value)
    tests = (a.test for a in model.ancestors(call) if isinstance(a, (cst.If, cst.IfExp)))
    return bool(name) and any(reads_place(test, [name]) for test in tests)


def _rules_out_batch_sampler(model: ScriptModel, name: str, arg: cst.Arg) -> bool:
    known = constant(model, arg.value)
    if name == "sampler":
        return _is_given(model, arg) == "always"
    if name == "batch_size":
        return isinstance(known, int) and known != 1
    return known is True


def _is_iterable(model: ScriptModel, dataset: cst.BaseExpression) -> bool:
    """Whether a dataset is an object of a class of the file that inherits from IterableDataset."""
    made = sole_value(model, dataset) if isinstance(dataset, cst.Name) else dataset
    if not isinstance(made, cst.Call):
        return False
    name = dotted(made.func)
    classes = [c for c in model.module.body if isinstance(c, cst.ClassDef) and c.name.value == name]
    return (
        any(model.names.one(base.value).endswith(".IterableDataset") for c in classes for base in c.bases)
        and len(classes) == 1
    )


def _length(model: ScriptModel, node: cst.BaseExpression, depth: int = 0) -> int | None:
    """How many items a dataset has for certain: a list, a range, tensors made of a stated size."""
    if depth > 4:
        return None
    if isinstance(node, cst.Name):
        bound = sole_value(model, node)
        return _length(model, bound, depth + 1) if bound is not None else None
    if isinstance(node, (cst.List, cst.Tuple)):
        plain = not any(isinstance(e, cst.StarredElement) for e in node.elements)
        return len(node.elements) if plain else None
    if not isinstance(node, cst.Call) or not node.args or any(a.star for a in node.args):
        return None
    path = model.names.one(node.func)
    if path in ("torch.utils.data.TensorDataset", "torch.utils.data.dataset.TensorDataset"):
        return _length(model, node.args[0].value, depth + 1)
    if path == "torch.utils.data.Subset" and len(node.args) == 2:
        return _length(model, node.args[1].value, depth + 1)
    return _made_length(model, node, path)


def _made_length(model: ScriptModel, call: cst.Call, path: str) -> int | None:
    """The first dimension of `torch.randn(100, 3)`, the length of `range(8)`."""
    factory = path.startswith("torch.") and path.removeprefix("torch.") in _TENSORS - {"randint", "full"}
    counts = dotted(call.func) == "range" and len(call.args) == 1
    if not (factory or counts) or (path == "torch.arange" and len(call.args) != 1):
        return None
    first = call.args[0].value
    if isinstance(first, (cst.Tuple, cst.List)) and first.elements:
        first = first.elements[0].value
    size = constant(model, first)
    return size if isinstance(size, int) and not isinstance(size, bool) else None
