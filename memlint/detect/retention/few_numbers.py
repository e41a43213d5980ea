"""Outputs of networks that are a few numbers a sample, as the code around shows: rows of tables, graphs."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import shown_container
from memlint.analysis.training.retained_values import RetainedValue


def is_few(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether what is kept is a row for each graph, or becomes columns of a table."""
    return _is_of_whole_graphs(model, retained.store.value_node) or _becomes_columns(model, retained)


def _becomes_columns(model: ScriptModel, retained: RetainedValue) -> bool:
    """Whether the function makes columns of a table of what it gathers: `pd.DataFrame(predictions)`."""
    shown = shown_container(retained.store.target)
    function = model.function_of(retained.store.node)
    if function is None or not isinstance(shown, cst.Name):
        return False
    made = (c for c in model.every(cst.Call, function) if model.path_of(c.func) in _TABLES)
    return any(shown.value in model.names_in(given.value) for c in made for given in c.args)


_TABLES = frozenset({"pandas.DataFrame", "pandas.Series", "polars.DataFrame"})


def _is_of_whole_graphs(model: ScriptModel, value: cst.CSTNode) -> bool:
    """Whether a value is what a network gives that is told which node is of which graph, `data.batch`, and
    so has a row for each graph, not for each node."""
    if isinstance(value, cst.Name):
        sources = (source.node for source in value_sources(model, value))
        return any(isinstance(node, cst.Call) and _is_told(model, node) for node in sources)
    return isinstance(value, cst.Call) and _is_told(model, value)


def _is_told(model: ScriptModel, call: cst.Call) -> bool:
    edges = any("edge_index" in model.names_in(given) for given in call.args)
    return edges and any(n.attr.value == "batch" for a in call.args for n in model.every(cst.Attribute, a))
