"""Exchanging, or completing, the stages of a tf.data pipeline."""

from __future__ import annotations

import libcst as cst

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
    head = model.code(batch.func)[len(model.code(base)) :]
    tail = model.code(shuffle)[len(model.code(batch)) :]
    first = model.code(batch)[len(model.code(base)) + len(head) :]
    caution = "batches then hold other elements, and the buffer counts elements, not batches"
    change = Replace(shuffle, f"{model.code(base)}{tail}{head}{first}")
    return Plan(Applicability.UNSAFE, "shuffle before batching", (change,), caution)


def in_parallel(pipes: Pipelines, call: cst.Call) -> Plan | None:
    """`map` with parallel calls: safe where the function is deterministic."""
    if len(call.args) != 1:
        return None
    model, arg = pipes.flow.model, call.args[0]
    name, imports = tf(model, call)
    key = "map_func=" if arg.keyword is not None else ""
    new = f"{key}{model.code(arg.value)}, num_parallel_calls={name}.data.AUTOTUNE"
    kind = Applicability.SAFE if pipes.is_pure(call) else Applicability.UNSAFE
    caution = (
        "" if kind is Applicability.SAFE else "right if the function has no side effects and no randomness"
    )
    return Plan(kind, "map in parallel", (Replace(arg, new), *imports), caution)


def tf(model: ScriptModel, node: cst.CSTNode) -> tuple[str, tuple[Change, ...]]:
    """The name of tensorflow at a node, with the import where it has none."""
    name = tf_name(model, node)
    return (name, ()) if name else ("tf", (AddImport("import tensorflow as tf"),))
