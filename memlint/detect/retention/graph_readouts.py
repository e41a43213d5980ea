"""Outputs of networks that read out whole graphs: a few numbers for each."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.model import ScriptModel


def is_of_whole_graphs(model: ScriptModel, value: cst.CSTNode) -> bool:
    """Whether a value is what a network gives that is told which node is of which graph, `data.batch`, and
    so has a row for each graph, not for each node."""
    if isinstance(value, cst.Name):
        sources = (source.node for source in value_sources(model, value))
        return any(isinstance(node, cst.Call) and _is_told(model, node) for node in sources)
    return isinstance(value, cst.Call) and _is_told(model, value)


def _is_told(model: ScriptModel, call: cst.Call) -> bool:
    edges = any("edge_index" in model.names_in(given) for given in call.args)
    return edges and any(n.attr.value == "batch" for a in call.args for n in model.every(cst.Attribute, a))
