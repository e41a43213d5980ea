"""MEM112: the output of a forward pass stays named while the backward of its loss runs."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import delete_before, first_node
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizes import language_model, widest_linear
from memlint.analysis.values import Ref
from memlint.catalogue import Rule
from memlint.detect.retention.output_holders import Alive
from memlint.detect.retention.outputs import alive_outputs
from memlint.syntax.tree import dotted

_LARGE = 10_000


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Names of outputs that only the loss needed, or that are read once more after the backward."""
    for found in alive_outputs(model):
        size = _vocabulary(model, found)
        variant = "later" if _read_afterwards(found) else "large" if size else "default"
        values = {
            "name": "`, `".join(found.names),
            "backward": model.short(found.backward.node, 26),
            "size": size,
        }
        labels = (Label("its tensors live on through this backward", found.backward.node),)
        plan = _plan(model, found)
        yield Match(found.site, values, variant, labels, plans=(plan,) if plan is not None else ())


def _plan(model: ScriptModel, found: Alive) -> Plan | None:
    return None if found.later else delete_before(model, found.names, found.line)


def _read_afterwards(found: Alive) -> bool:
    """Whether a name is read after the statement of the backward, not only within it."""
    start = first_node(found.variables[0].flow, found.line)
    assert start is not None
    points = {id(node) for v in found.variables for node in v.reads.get(start, ())}
    return any(id(node) not in points for v in found.variables for node in v.reads_from(start))


def _vocabulary(model: ScriptModel, found: Alive) -> str:
    """What makes the output large: the class of a language model or a literal width; else ""."""
    obj = found.forward.module.obj if isinstance(found.forward.module, Ref) else None
    known = widest_linear(model, obj) if obj is not None else 0
    width = max([known, *_literals(model, found.site)])
    name = language_model(obj) if obj is not None else ""
    return name or (f"{width} classes" if width >= _LARGE else "")


def _literals(model: ScriptModel, site: cst.CSTNode) -> list[int]:
    """The numbers of classes that a loss is written with: `cross_entropy(logits.view(-1, 50257), y)`."""
    first = site.args[0].value if isinstance(site, cst.Call) and site.args else None
    if not isinstance(first, cst.Call) or dotted(first.func).rpartition(".")[2] not in ("view", "reshape"):
        return []
    return [n.evaluated_value for n in model.walk(first) if type(n) is cst.Integer]
