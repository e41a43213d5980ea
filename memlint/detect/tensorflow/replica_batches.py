"""Literal batch sizes in files that spread batches over replicas."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import trained
from memlint.analysis.tensorflow.pipelines import Pipelines
from memlint.syntax.arguments import argument


def unscaled_batches(flow: Flow) -> Iterator[Match]:
    """The first batch size of a file that is a literal, not scaled by the replicas."""
    for call in trained(flow):
        given = argument(call, 2, "batch_size")
        if given is not None and _literal(flow, given):
            yield Match(given, {"size": flow.model.short(given)}, "batch")
            return
    pipes = Pipelines(flow)
    for call in pipes.calls("batch"):
        given = argument(call, 0, "batch_size")
        if given is not None and _literal(flow, given):
            yield Match(given, {"size": flow.model.short(given)}, "batch")
            return


def _literal(flow: Flow, node: cst.BaseExpression) -> bool:
    sources = flow.sources(node)
    return bool(sources) and all(isinstance(s, cst.Integer) for s in sources)
