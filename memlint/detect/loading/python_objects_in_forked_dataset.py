"""MEM402: forked workers end with copies of the Python objects that a data set holds."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.dataset_contents import stored
from memlint.analysis.training.loading.workers import (
    construction,
    datasets,
    loaders,
    start_method,
    trainer_loaders,
    workers,
)
from memlint.catalogue import Rule
from memlint.syntax.tree import last_name

_RANKS = ("default", "tensors", "paths")
_VARIANTS = {"records": "default", "tensors": "tensors", "paths": "paths", "frame": "paths"}
_SMALL = ("tensor", "LongTensor", "FloatTensor")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Containers of Python objects that data sets of loaders with forked workers take items from."""
    found: dict[cst.CSTNode, Match] = {}
    for loader in (*loaders(model), *trainer_loaders(model)):
        count = workers(model, loader)
        if count.kind == "none" or start_method(model, loader) or loader.node is None:
            continue
        for source in datasets(model, loader):
            for kept in stored(model, source.klass) if source.klass is not None else ():
                variant = _VARIANTS.get(kept.what, "")
                if variant == "tensors" and _are_small(model, kept.node):
                    variant = "default"
                if not variant or source.klass is None:
                    continue
                # One worker makes one copy at most.
                many = count.kind == "some" and not count.single
                variant = variant if many or variant == "tensors" else "paths"
                known = found.get(kept.node)
                if known is None or _RANKS.index(variant) < _RANKS.index(known.variant):
                    values = {"container": f"self.{kept.name}", "dataset": source.klass.name.value}
                    label = Label("its workers take items from it", loader.node)
                    frame = construction(model, source, kept.node)
                    found[kept.node] = Match(
                        kept.node, values, variant, (label,), frame=frame, causes=((source.klass,),)
                    )
    yield from found.values()


def _are_small(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether tensors are made of Python's numbers: short, and in memory beside one another."""
    return any(
        last_name(call.func) in _SMALL for call in model.every(cst.Call, model.statement_of(node) or node)
    )
