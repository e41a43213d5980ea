"""MEM403: workers that do not start by fork get a copy of the data set each."""

from __future__ import annotations

import math
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.dataset_contents import Stored, stored
from memlint.analysis.training.loading.workers import (
    construction,
    datasets,
    loaders,
    start_method,
    trainer_loaders,
    workers,
)
from memlint.catalogue import Rule

_KINDS = {
    "records": "Python objects",
    "tensors": "a list of arrays",
    "array": "a NumPy array",
    "frame": "a data frame",
}
_SMALL = 1_000_000
_SHAPED = frozenset("zeros ones empty full rand randn random normal uniform randint standard_normal".split())


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Lists and NumPy arrays of data sets whose workers start by spawn or forkserver."""
    seen: set[cst.CSTNode] = set()
    for loader in (*loaders(model), *trainer_loaders(model)):
        how = start_method(model, loader)
        if not how or workers(model, loader).kind == "none" or loader.node is None:
            continue
        for source in datasets(model, loader):
            for kept in stored(model, source.klass) if source.klass is not None else ():
                if kept.what not in _KINDS or kept.node in seen or _is_small(model, kept):
                    continue
                seen.add(kept.node)
                values = {"container": f"self.{kept.name}", "method": how, "what": _KINDS[kept.what]}
                label = Label("its workers are made here", loader.node)
                yield Match(kept.node, values, labels=(label,), frame=construction(model, source, kept.node))


def _is_small(model: ScriptModel, kept: Stored) -> bool:
    """Whether literal dimensions show that an array has less than a megabyte."""
    value = getattr(kept.node, "value", None)
    if kept.what != "array" or not isinstance(value, cst.BaseExpression):
        return False
    sizes = [_bytes(model, origin.node) for origin in value_sources(model, value)]
    return bool(sizes) and all(size is not None and size < _SMALL for size in sizes)


def _bytes(model: ScriptModel, node: cst.CSTNode) -> int | None:
    """The bytes of `np.zeros((100, 4))` and the like, eight for each element; None when not known."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value in ("astype", "copy", "reshape"):
            return _bytes(model, node.func.value)
        if node.func.attr.value in ("array", "asarray") and node.args:
            literal = node.args[0].value
            if isinstance(literal, (cst.List, cst.Tuple)):
                return 8 * sum(1 for n in model.walk(literal) if isinstance(n, (cst.Integer, cst.Float)))
            return None
        if node.func.attr.value in _SHAPED:
            return _shape_bytes(model, node)
    return None


def _shape_bytes(model: ScriptModel, call: cst.Call) -> int | None:
    sizes: list[int] = []
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value not in ("size", "shape"):
            continue
        parts = [e.value for e in arg.value.elements] if isinstance(arg.value, cst.Tuple) else [arg.value]
        for part in parts:
            ends = [o.node for o in value_sources(model, part)]
            if len(ends) != 1 or not isinstance(ends[0], cst.Integer):
                return None
            sizes.append(max(1, ends[0].evaluated_value))
    return 8 * math.prod(sizes) if sizes else None
