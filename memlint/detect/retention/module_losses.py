"""Losses that a module computes itself, and the logits that it gives beside them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.facts import Backward, Forward
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.sizing.last_layers import called_name
from memlint.analysis.values import Obj, Ref
from memlint.detect.retention.output_holders import Alive, held_by_names
from memlint.syntax.expressions import item_key
from memlint.syntax.tree import root_name


def through_results(model: ScriptModel, backward: Backward) -> Iterator[Alive]:
    """`out = model(**batch); loss = out.loss` and `logits, loss = model(x, y)`."""
    sources = model.trace.ancestors(backward.ids, lightweight_only=True)
    for forward in model.trace.forwards.values():
        if forward.ids.isdisjoint(sources) or not forward.recorded or not isinstance(forward.module, Ref):
            continue
        assign = model.parent(forward.node) if isinstance(forward.node, cst.Call) else None
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            continue
        target = assign.targets[0].target
        if isinstance(target, cst.Name) and _gives_loss_beside_logits(forward):
            site = _loss_read(model, target)
            if site is not None:
                found = held_by_names(model, backward, set(forward.ids), forward, site)
                if found is not None and target.value in found.names:
                    yield found
        elif isinstance(target, cst.Tuple):
            yield from _unpacked(model, backward, forward, target)


def _gives_loss_beside_logits(forward: Forward) -> bool:
    """Whether a call is that of a Hugging Face model that was given labels."""
    assert isinstance(forward.module, Ref)
    assert isinstance(forward.node, cst.Call)
    obj = forward.module.obj
    if obj.cls is not None:
        return False
    return obj.path.startswith("transformers.") or any(
        a.star == "**" or (a.keyword is not None and a.keyword.value == "labels") for a in forward.node.args
    )


def _loss_read(model: ScriptModel, target: cst.Name) -> cst.CSTNode | None:
    """Where `.loss`, `["loss"]` or `[0]` of a result is read."""
    found = variable(model, target, target.value)
    for node in (n for nodes in found.reads.values() for n in nodes) if found is not None else ():
        parent = model.parent(node)
        if isinstance(parent, cst.Attribute) and parent.attr.value == "loss":
            return parent
        if isinstance(parent, cst.Subscript) and item_key(parent) in ("loss", 0):
            return parent
    return None


def _unpacked(model: ScriptModel, backward: Backward, forward: Forward, target: cst.Tuple) -> Iterator[Alive]:
    """The logits of `logits, loss = model(x, y)` that are still held when the loss runs backward."""
    assert isinstance(forward.module, Ref)
    names = [e.value.value if isinstance(e.value, cst.Name) else "" for e in target.elements]
    shown = _returned_logits(model, forward.module.obj)
    extra = [
        n for i, n in enumerate(names) if n and (i in shown if shown is not None else "logits" in n.lower())
    ]
    losses = [n for n in names if n not in extra and "loss" in n.lower()]
    keys = [(backward.frame.id, name) for name in losses]
    reached = model.trace.ancestors(backward.ids, lightweight_only=True)
    if extra and any(key in backward.held and backward.held[key].ids & reached for key in keys):
        ids = set().union(
            *(
                backward.held[(backward.frame.id, n)].ids
                for n in extra
                if (backward.frame.id, n) in backward.held
            )
        )
        found = held_by_names(
            model, backward, ids - (reached & _loss_ids(backward, losses)), forward, forward.node
        )
        if found is not None and set(found.names) <= set(extra):
            yield found


def _loss_ids(backward: Backward, losses: list[str]) -> set[int]:
    held = (backward.held.get((backward.frame.id, name)) for name in losses)
    return set().union(*(h.ids for h in held if h is not None))


def _returned_logits(model: ScriptModel, obj: Obj) -> set[int] | None:
    """The positions at which a module of the file returns what its cross-entropy was computed from."""
    found = obj.cls.find("forward") if obj.cls is not None else None
    if found is None:
        return None
    calls = [
        n
        for n in model.walk(found[0])
        if type(n) is cst.Call and called_name(model, n) in ("cross_entropy", "CrossEntropyLoss")
    ]
    roots = {_input_root(call) for call in calls if call.args} - {""}
    positions: set[int] = set()
    for node in model.walk(found[0]):
        if type(node) is cst.Return and isinstance(node.value, cst.Tuple):
            positions |= {i for i, e in enumerate(node.value.elements) if root_name(e.value) in roots}
    return positions


def _input_root(call: cst.Call) -> str:
    node: cst.BaseExpression = call.args[0].value
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""
