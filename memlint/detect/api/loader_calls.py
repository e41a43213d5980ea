"""DataLoader calls whose arguments exclude one another, or leave no batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.constants import MISSING, constant
from memlint.analysis.fixes.keyword_tables import calls
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.workers import LOADER_PARAMETERS, loaders, value_of
from memlint.analysis.values import Const
from memlint.detect.api.loader_arguments import (
    arguments_by_name,
    asks_for_workers,
    is_asked_about,
    is_given,
    rules_out_batch_sampler,
    spread_keywords,
    torch_of,
)
from memlint.detect.api.loader_datasets import dataset_length, is_iterable_dataset
from memlint.records import dataclass

_TORCH = ["torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"]
_OTHERS = ["torch_geometric.loader.DataLoader", "torch_geometric.data.DataLoader", "monai.data.DataLoader"]
_NEED_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout")


@dataclass(frozen=True, slots=True)
class Conflict:
    """An argument of a DataLoader call that cannot go with another one.

    kind: "workers" (needs worker processes, there are none), "exclusive" (ruled out by `other`),
    "maybe" (ruled out on some paths), "iterable" (the dataset has no order to shuffle), "empty" (every
    batch is dropped). `holds` are the versions of torch in which that is so, "" for all.
    """

    kind: str
    call: cst.Call
    arg: cst.Arg
    name: str
    other: str
    holds: str = ""


def conflicts(table: Table) -> Iterator[Conflict]:
    """Every such argument of the file's DataLoader calls."""
    written = [
        conflict
        for _, call in calls(table, {"api": _TORCH})
        for conflict in _of_call(table.model, call, arguments_by_name(call, LOADER_PARAMETERS))
    ]
    # Several calls may lead to one loader.
    passed = {conflict.arg: conflict for conflict in (*_passed(table.model), *written)}
    yield from passed.values()
    for _, call in calls(table, {"api": _OTHERS}):
        yield from _of_call(table.model, call, arguments_by_name(call, LOADER_PARAMETERS[:1]))


def _of_call(model: ScriptModel, call: cst.Call, args: dict[str, cst.Arg]) -> Iterator[Conflict]:
    """The conflicts among the arguments that stand in one call."""
    if "*" in args:
        return

    spread = spread_keywords(model, args["**"].value) if "**" in args else {}

    def value(name: str, default: object) -> object:
        given = args[name].value if name in args else spread.get(name) if spread is not None else None
        if given is not None:
            return constant(model, given)
        return MISSING if spread is None else default

    def conflict(kind: str, name: str, other: str, holds: str = "") -> Conflict:
        return Conflict(kind, call, args[name], name, other, holds)

    if value("num_workers", 0) == 0 and value("num_workers", 0) is not False:
        for name in _NEED_WORKERS:
            given = value(name, None)
            if name in args and asks_for_workers(model, name, given):
                yield conflict("workers", name, "num_workers=0", torch_of(name, given))
    if "batch_sampler" in args and is_given(model, args["batch_sampler"]) == "always":
        for name in ("batch_size", "shuffle", "sampler", "drop_last"):
            if name in args and rules_out_batch_sampler(model, name, args[name]):
                yield conflict("exclusive", name, "batch_sampler")
    elif "sampler" in args and value("shuffle", False) is True:
        how = is_given(model, args["sampler"])
        if how and not is_asked_about(model, call, args["sampler"]):
            yield conflict("exclusive" if how == "always" else "maybe", "shuffle", "sampler")
    dataset = args["dataset"].value if "dataset" in args else None
    if value("drop_last", False) is True and "drop_last" in args:
        size = value("batch_size", 1)
        if size is None:
            yield conflict("exclusive", "drop_last", "batch_size=None")
        length = dataset_length(model, dataset) if dataset is not None else None
        if isinstance(size, int) and length is not None and size > length:
            yield conflict("empty", "drop_last", f"batch_size={size}")
    if value("shuffle", False) is True and dataset is not None and is_iterable_dataset(model, dataset):
        yield conflict("iterable", "shuffle", "IterableDataset")


def _passed(model: ScriptModel) -> Iterator[Conflict]:
    """Loaders that a caller leaves without workers by what it passes: `make_loader(data, workers=0)`."""
    for loader in loaders(model):
        assert isinstance(loader.node, cst.Call)
        args, count = arguments_by_name(loader.node, LOADER_PARAMETERS), value_of(loader, "num_workers")
        if not isinstance(count, Const) or type(count.value) is not int or count.value or "*" in args:
            continue
        if "num_workers" not in args or is_asked_about(model, loader.node, args["num_workers"]):
            continue
        for name in _NEED_WORKERS:
            value = value_of(loader, name)
            if name in args and isinstance(value, Const) and asks_for_workers(model, name, value.value):
                holds = torch_of(name, value.value)
                yield Conflict("workers", loader.node, args[name], name, "num_workers=0", holds)
