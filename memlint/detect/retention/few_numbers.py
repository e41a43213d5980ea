"""Outputs of networks that are a few numbers a sample, as the code around shows: rows of tables, graphs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import data_hints, size_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import shown_container
from memlint.analysis.training.retained_values import RetainedValue
from memlint.syntax.tree import dotted, last_name


def is_few(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is kept is a row for each graph, a verdict for each sample, or columns of a table."""
    value = retained.store.value_node
    if any(_is_told(model, call) or _judges(call) for call in _calls_behind(model, value)):
        return True
    return _becomes_columns(model, retained)


def _calls_behind(model: ScriptModel, value: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls that a value is the result of, or a part of it: `out = net(x)`, `out = out[0]`."""
    sources = [s.node for s in value_sources(model, value)] if isinstance(value, cst.BaseExpression) else []
    for node in [value, *sources]:
        if isinstance(node, cst.Call):
            yield node


def _judges(call: cst.Call) -> bool:
    """Whether the name of a network says that it gives a number for each sample: `confidence_model(data)`."""
    return bool(size_hints.JUDGE.search(dotted(call.func)))


def _becomes_columns(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether the function makes columns of a table of what it gathers: `pd.DataFrame(predictions)`."""
    shown = shown_container(retained.store.target)
    function = model.function_of(retained.store.node)
    if function is None or not isinstance(shown, cst.Name):
        return False
    made = (c for c in model.every(cst.Call, function) if model.path_of(c.func) in _TABLES)
    if any(shown.value in model.names_in(given.value) for c in made for given in c.args):
        return True
    columns = (n for n in model.every(cst.Assign, function) if any(_is_column(t.target) for t in n.targets))
    return any(shown.value in model.names_in(n.value) for n in columns)


def _is_column(target: cst.BaseExpression) -> bool:
    """`data.dataframe["predicted"]`"""
    frame = last_name(target.value) if isinstance(target, cst.Subscript) else ""
    return bool(data_hints.DATA_FRAME.search(frame))


_TABLES = frozenset({"pandas.DataFrame", "pandas.Series", "polars.DataFrame"})


def _is_told(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a network is told which node is of which graph, `data.batch`, and so gives a row for each
    graph, not for each node."""
    edges = any("edge_index" in model.names_in(given) for given in call.args)
    return edges and any(n.attr.value == "batch" for a in call.args for n in model.every(cst.Attribute, a))
