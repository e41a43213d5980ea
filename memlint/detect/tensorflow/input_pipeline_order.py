"""MTF107: a tf.data pipeline whose steps are in an order, or form, that costs memory or time."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import how_used
from memlint.analysis.dataflow.guards import is_guarded, never_runs
from memlint.analysis.match import AddImport, Change, Label, Match, Plan, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import trained
from memlint.catalogue import Rule
from memlint.detect.tensorflow.pipelines import BATCHES, Path, Pipelines, batched, method_of, tf_name
from memlint.finding import Applicability
from memlint.syntax.arguments import argument

_OLD = "tf.data.experimental.AUTOTUNE"
_LARGE = 10_000
_TRAINS = re.compile(
    r"GradientTape|apply_gradients|train_step|train_on_batch|\.fit\(|train_batch|update_step"
)


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Shuffles of batches, serial maps, missing prefetch, caches and buffers that hold too much."""
    if not concerns(model):
        return
    pipes = Pipelines(flow_of(model))
    found = [
        *_shuffles(pipes),
        *_maps(pipes),
        *_caches(pipes),
        *_unprefetched(pipes),
        *_old_autotune(pipes.flow),
    ]
    seen: set[tuple[cst.CSTNode, str]] = set()
    for match in found:
        if (match.node, match.variant) not in seen and not never_runs(model, match.node):
            seen.add((match.node, match.variant))
            yield match


# --- shuffle --------------------------------------------------------------------------------------------


def _shuffles(pipes: Pipelines) -> Iterator[Match]:
    for call in pipes.calls("shuffle"):
        paths = pipes.paths(call)
        batches = [batched(p.stages[:-1]) for p in paths]
        size = argument(call, 0, "buffer_size")
        shown = pipes.flow.model.short(size, 20) if size is not None else "n"
        grouped = any(method_of(s) in (*BATCHES, "unbatch") for s in pipes.after(call))
        first = batches[0]
        if first is not None and all(batches) and not grouped:
            plan = _swap(pipes.flow, call, first)
            labels = (Label("the batches are made here", first),) if first is not call.func else ()
            yield Match(_site(call), {"size": shown}, "default", labels, plans=(plan,) if plan else ())
        elif _value(pipes.flow, size) >= _LARGE and all(pipes.decodes_images(p) for p in paths):
            yield Match(_site(call), {"size": shown}, "buffer")


def _site(call: cst.Call) -> cst.CSTNode:
    """The node of a stage that stands on its own line in a chain: its method's name."""
    return call.func.attr if isinstance(call.func, cst.Attribute) else call


def _value(flow: Flow, node: cst.BaseExpression | None) -> int:
    for source in flow.sources(node) if node is not None else ():
        if isinstance(source, cst.Integer):
            return int(source.evaluated_value)
    return 0


def _swap(flow: Flow, shuffle: cst.Call, batch: cst.Call) -> Plan | None:
    """Exchange `.batch(b).shuffle(n)` where they stand side by side."""
    assert isinstance(shuffle.func, cst.Attribute)
    if shuffle.func.value is not batch or not isinstance(batch.func, cst.Attribute):
        return None
    base, model = batch.func.value, flow.model
    head = model.code(batch.func)[len(model.code(base)) :]
    tail = model.code(shuffle)[len(model.code(batch)) :]
    first = model.code(batch)[len(model.code(base)) + len(head) :]
    caution = "other elements meet in a batch, and the buffer counts elements, not batches"
    change = Replace(shuffle, f"{model.code(base)}{tail}{head}{first}")
    return Plan(Applicability.UNSAFE, "shuffle before batching", (change,), caution)


# --- map ------------------------------------------------------------------------------------------------


def _maps(pipes: Pipelines) -> Iterator[Match]:
    for call in pipes.calls("map"):
        given = argument(call, 0, "map_func")
        if given is None or any(a.star for a in call.args):
            continue
        if argument(call, 1, "num_parallel_calls") is not None:
            continue
        heavy = pipes.works(call)
        plan = _parallel(pipes, call)
        values = {"function": pipes.flow.model.short(given, 30)}
        yield Match(_site(call), values, "serial" if heavy else "cheap", plans=(plan,) if plan else ())


def _parallel(pipes: Pipelines, call: cst.Call) -> Plan | None:
    if len(call.args) != 1:
        return None
    model, arg = pipes.flow.model, call.args[0]
    name, imports = _tf(model, call)
    key = "map_func=" if arg.keyword is not None else ""
    new = f"{key}{model.code(arg.value)}, num_parallel_calls={name}.data.AUTOTUNE"
    kind = Applicability.SAFE if pipes.is_pure(call) else Applicability.UNSAFE
    caution = (
        "" if kind is Applicability.SAFE else "right if the function has no side effects and no randomness"
    )
    return Plan(kind, "map in parallel", (Replace(arg, new), *imports), caution)


def _tf(model: ScriptModel, node: cst.CSTNode) -> tuple[str, tuple[Change, ...]]:
    name = tf_name(model, node)
    return (name, ()) if name else ("tf", (AddImport("import tensorflow as tf"),))


# --- cache ----------------------------------------------------------------------------------------------


def _caches(pipes: Pipelines) -> Iterator[Match]:
    for call in pipes.calls("cache"):
        if call.args:
            continue
        paths = pipes.paths(call)
        before = [p.stages[:-1] for p in paths]
        random = [
            next((s for s in stages if method_of(s) == "map" and pipes.is_random(s)), None)
            for stages in before
        ]
        first = random[0]
        if first is not None and all(random):
            yield Match(_site(call), {}, "frozen", (Label("the random changes are made here", first),))
        elif all(_endless(stages) for stages in before):
            yield Match(_site(call), {}, "endless")
        elif all(pipes.decodes_images(p) for p in paths):
            yield Match(_site(call), {}, "cached")


def _endless(stages: tuple[cst.Call, ...]) -> bool:
    """Whether the dataset repeats for ever at the end of these stages."""
    repeats = [s for s in stages if method_of(s) == "repeat" and not s.args]
    return bool(repeats) and not any(method_of(s) == "take" for s in stages)


# --- prefetch -------------------------------------------------------------------------------------------


def _unprefetched(pipes: Pipelines) -> Iterator[Match]:
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
            name, imports = _tf(pipes.flow.model, final)
            new = f"{pipes.flow.model.code(final)}.prefetch({name}.data.AUTOTUNE)"
            plan = Plan(Applicability.SAFE, "add `.prefetch`", (Replace(final, new), *imports))
            label = Label("the training that waits for it", node)
            yield Match(_site(final), {"last": method_of(final)}, "prefetch", (label,), plans=(plan,))


def _consumed(flow: Flow) -> Iterator[cst.BaseExpression]:
    """The expressions that training takes its batches from."""
    for call in trained(flow):
        given = argument(call, 0, "x")
        if given is not None and argument(call, 1, "y") is None:
            yield given
    for node in flow.model.names.every(cst.For):
        if _TRAINS.search(flow.model.code(node.body)):
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


# --- the old name of AUTOTUNE ---------------------------------------------------------------------------


def _old_autotune(flow: Flow) -> Iterator[Match]:
    model = flow.model
    for node in model.names.references("tensorflow.data.experimental.AUTOTUNE"):
        if (
            not isinstance(node, cst.Attribute)
            or how_used(model, node) == "annotation"
            or is_guarded(model, node)
        ):
            continue
        text = model.code(node)
        if text.endswith(".experimental.AUTOTUNE") and flow.api(node) == _OLD:
            new = text.removesuffix(".experimental.AUTOTUNE") + ".AUTOTUNE"
            plan = Plan(Applicability.SAFE, f"write `{new}`", (Replace(node, new),))
            yield Match(node, {"old": text, "new": new}, "autotune", plans=(plan,))
