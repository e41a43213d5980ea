"""The pipelines that training takes its batches from."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import code_words
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import trained
from memlint.analysis.tensorflow.pipelines import BATCHES, Path, Pipelines, method_of
from memlint.detect.tensorflow.pipeline_fixes import tf
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import calls_one, speaks_of


def site(call: cst.Call) -> cst.CSTNode:
    """The node of a stage that stands on its own line in a chain: its method's name."""
    return call.func.attr if isinstance(call.func, cst.Attribute) else call


def unprefetched(pipes: Pipelines) -> Iterator[Match]:
    """Pipelines that training reads without a `prefetch` at their end."""
    for node in _consumed(pipes.flow):
        paths = pipes.paths(node)
        if not paths or not all(_lacks_prefetch(pipes, p) for p in paths):
            continue
        for path in paths:
            final = path.stages[-1]
            if not pipes.flow.model.owns(final):
                # A function of another module puts the batches together.
                yield Match(node, {"last": method_of(final)}, "prefetch")
                continue
            name, imports = tf(pipes.flow.model, final)
            new = f"{pipes.flow.model.code(final)}.prefetch({name}.data.AUTOTUNE)"
            plan = Plan(Applicability.SAFE, "add `.prefetch`", (Replace(final, new), *imports))
            label = Label("the training that waits for it", node)
            yield Match(site(final), {"last": method_of(final)}, "prefetch", (label,), plans=(plan,))


def _consumed(flow: Flow) -> Iterator[cst.BaseExpression]:
    """The expressions that training takes its batches from."""
    for call in trained(flow):
        given = argument(call, 0, "x")
        if given is not None and argument(call, 1, "y") is None:
            yield given
    for node in flow.model.names.every(cst.For):
        if speaks_of(node.body, code_words.KERAS_TRAINING) or calls_one(node.body, "fit"):
            yield from _iterated(node.iter)


def _iterated(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    while isinstance(node, cst.Call) and isinstance(node.func, (cst.Name, cst.Attribute)) and node.args:
        name = node.func.attr.value if isinstance(node.func, cst.Attribute) else node.func.value
        if name not in ("enumerate", "tqdm", "iter", "Progbar"):
            break
        node = node.args[0].value
    yield node


def _lacks_prefetch(pipes: Pipelines, path: Path) -> bool:
    methods = [method_of(s) for s in path.stages]
    if not path.stages or {"prefetch", "apply", "take"} & set(methods) or not BATCHES & set(methods):
        return False
    return pipes.is_dataset(path) and pipes.has_work(path)
