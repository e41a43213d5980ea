"""Exchanging, or completing, the stages of a tf.data pipeline."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.fixes.rewrites import indented, with_last
from memlint.analysis.match import AddImport, Change, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.pipelines import Pipelines, tf_name
from memlint.finding import Applicability


def swapped(flow: Flow, shuffle: cst.Call, batch: cst.Call) -> Plan | None:
    """Exchange `.batch(b).shuffle(n)` where they stand side by side."""
    assert isinstance(shuffle.func, cst.Attribute)
    if shuffle.func.value is not batch or not isinstance(batch.func, cst.Attribute):
        return None
    base, model = batch.func.value, flow.model
    start, upto, inner, whole = (indented(model, shuffle, x) for x in (base, batch.func, batch, shuffle))
    head, first, tail = upto[len(start) :], inner[len(upto) :], whole[len(inner) :]
    caution = "batches then hold other elements, and the buffer counts elements, not batches"
    change = Replace(shuffle, f"{start}{tail}{head}{first}")
    return Plan(Applicability.UNSAFE, "shuffle before batching", (change,), caution)


def in_parallel(pipes: Pipelines, call: cst.Call) -> Plan | None:
    """`map` with parallel calls: safe where the function is deterministic."""
    if len(call.args) != 1:
        return None
    model = pipes.flow.model
    name, imports = tf(model, call)
    change = with_last(model, call, f"num_parallel_calls={name}.data.AUTOTUNE")
    kind = Applicability.SAFE if pipes.is_pure(call) else Applicability.UNSAFE
    caution = (
        "" if kind is Applicability.SAFE else "right if the function has no side effects and no randomness"
    )
    return Plan(kind, "map in parallel", (change, *imports), caution)


def tf(model: ScriptModel, node: cst.CSTNode) -> tuple[str, tuple[Change, ...]]:
    """The name of tensorflow at a node, with the import where it has none."""
    name = tf_name(model, node)
    return (name, ()) if name else ("tf", (AddImport("import tensorflow as tf"),))
