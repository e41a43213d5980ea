"""MTF107: a tf.data pipeline whose steps are in an order, or form, that costs memory or time."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import how_used
from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.match import Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.pipelines import BATCHES, Pipelines, batched, method_of
from memlint.catalogue import Rule
from memlint.detect.tensorflow.cached_pipelines import caches
from memlint.detect.tensorflow.consumed_pipelines import site, unprefetched
from memlint.detect.tensorflow.pipeline_fixes import in_parallel, swapped
from memlint.finding import Applicability
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_OLD = "tf.data.experimental.AUTOTUNE"
_LARGE = 10_000
_BYTES = 12
"""A pixel of three colours in float32."""
_SLIGHT = 512 << 20
"""A buffer of so many bytes is no matter for a host."""
_NEEDED = "needs TensorFlow 2.4 or newer"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Shuffles of batches, serial maps, missing prefetch, caches and buffers that hold too much."""
    if not concerns(model):
        return
    pipes = Pipelines(flow_of(model))
    found = [
        *_shuffles(pipes),
        *_maps(pipes),
        *caches(pipes),
        *unprefetched(pipes),
        *_old_autotune(pipes.flow),
    ]
    seen: set[tuple[cst.CSTNode, str]] = set()
    for match in found:
        if (match.node, match.variant) not in seen and not never_runs(model, match.node):
            seen.add((match.node, match.variant))
            yield match


# --- shuffle --------------------------------------------------------------------------------------------


def _shuffles(pipes: Pipelines) -> Iterator[Match]:
    """Shuffles of whole batches, and large buffers of decoded images."""
    for call in pipes.calls("shuffle"):
        paths = pipes.paths(call)
        batches = [batched(p.stages[:-1]) for p in paths]
        size = argument(call, 0, "buffer_size")
        shown = pipes.flow.model.short(size, 20) if size is not None else "n"
        grouped = any(method_of(s) in (*BATCHES, "unbatch") for s in pipes.after(call))
        first = batches[0]
        if first is not None and all(batches) and not grouped:
            plan = swapped(pipes.flow, call, first)
            labels = (Label("the batches are made here", first),) if first is not call.func else ()
            yield Match(site(call), {"size": shown}, "default", labels, plans=(plan,) if plan else ())
        elif (count := _value(pipes.flow, size)) >= _LARGE and all(pipes.decodes_images(p) for p in paths):
            pixels = max((pipes.pixels(p) for p in paths), default=0)
            if 0 < count * pixels * _BYTES < _SLIGHT:
                continue
            yield Match(site(call), {"size": shown}, "buffer")


def _value(flow: Flow, node: cst.BaseExpression | None) -> int:
    for source in flow.sources(node) if node is not None else ():
        if isinstance(source, cst.Integer):
            return int(source.evaluated_value)
    return 0


# --- map ------------------------------------------------------------------------------------------------


def _maps(pipes: Pipelines) -> Iterator[Match]:
    for call in pipes.calls("map"):
        given = argument(call, 0, "map_func")
        if given is None or any(a.star for a in call.args):
            continue
        if argument(call, 1, "num_parallel_calls") is not None:
            continue
        heavy = pipes.works(call)
        plan = in_parallel(pipes, call)
        values = {"function": pipes.flow.model.short(given, 30)}
        yield Match(site(call), values, "serial" if heavy else "cheap", plans=(plan,) if plan else ())


# --- the old name of AUTOTUNE ---------------------------------------------------------------------------


def _old_autotune(flow: Flow) -> Iterator[Match]:
    """The experimental name of AUTOTUNE."""
    model = flow.model
    for node in model.names.references("tensorflow.data.experimental.AUTOTUNE"):
        if (
            not isinstance(node, cst.Attribute)
            or how_used(model, node) == "annotation"
            or is_guarded(model, node)
        ):
            continue
        text = dotted(node)
        if text.endswith(".experimental.AUTOTUNE") and flow.api(node) == _OLD:
            new = text.removesuffix(".experimental.AUTOTUNE") + ".AUTOTUNE"
            plan = Plan(Applicability.UNSAFE, f"write `{new}`", (Replace(node, new),), _NEEDED)
            yield Match(node, {"old": text, "new": new}, "autotune", plans=(plan,))
