"""MEM112: the output of a forward pass stays named while the backward of its loss runs."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.liveness import delete_before, first_node
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.modules import language_model, widest_linear
from memlint.analysis.training.sizing.outputs import VOCABULARY, output_size
from memlint.analysis.values import Ref
from memlint.catalogue import Rule
from memlint.detect.retention.output_holders import Alive
from memlint.detect.retention.outputs import alive_outputs


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Names of outputs that only the loss needed, or that are read once more after the backward."""
    for found in alive_outputs(model):
        if not output_size(model, found.forward).matters:
            continue
        size = _vocabulary(model, found)
        variant = "later" if _read_afterwards(found) else "large" if size else "default"
        values = {
            "name": "`, `".join(found.names),
            "backward": model.short(found.backward.node, 26),
            "size": size,
        }
        labels = (Label("its tensors stay alive through this backward", found.backward.node),)
        plans, reason = delete_before(model, found.names, found.line)
        yield Match(found.site, values, variant, labels, plans=plans, no_fix=reason)


def _read_afterwards(found: Alive) -> bool:
    """Whether a name is read after the statement of the backward, not only within it."""
    start = first_node(found.variables[0].flow, found.line)
    assert start is not None
    points = {id(node) for v in found.variables for node in v.reads.get(start, ())}
    return any(id(node) not in points for v in found.variables for node in v.reads_from(start))


def _vocabulary(model: ScriptModel, found: Alive) -> str:
    """What makes the output large for certain: the class of a language model or a visible width; else ""."""
    size = output_size(model, found.forward)
    obj = found.forward.module.obj if isinstance(found.forward.module, Ref) else None
    known = max(size.width, widest_linear(model, obj) if obj is not None else 0)
    name = language_model(obj) if obj is not None else ""
    return name or (f"{known} classes" if known >= VOCABULARY else "")
