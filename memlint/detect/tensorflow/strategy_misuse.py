"""MTF113: a MirroredStrategy whose model lives outside of it, or whose batch is not scaled."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import is_keras, makes_model, method_calls, trained
from memlint.catalogue import Rule
from memlint.detect.tensorflow.replica_batches import unscaled_batches
from memlint.detect.tensorflow.sessions import gives_model
from memlint.detect.tensorflow.strategy_scopes import (
    gets,
    has_scope,
    in_scope,
    lexically_in_scope,
    scoped_work,
    sites_in,
)
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_STRATEGIES = (
    "tf.distribute.MirroredStrategy",
    "tf.distribute.MultiWorkerMirroredStrategy",
    "tf.distribute.experimental.MultiWorkerMirroredStrategy",
)
_OPTIMIZERS = re.compile(r"^(keras|tf)\.optimizers\.(legacy\.|experimental\.)?[A-Z]\w*$")
_DEPTH = 4


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Models built outside of the scope, and literal batch sizes, in files that make a strategy."""
    if not concerns(model):
        return
    flow = flow_of(model)
    strategies = [c for c in flow.calls_of(*_STRATEGIES) if not never_runs(model, c)]
    if not strategies:
        return
    yield from _outside(flow, strategies[0])
    yield from _optimizers(flow, strategies[0])
    if "num_replicas_in_sync" not in model.text:
        yield from unscaled_batches(flow)


# --- models outside of the scope ------------------------------------------------------------------------


def _outside(flow: Flow, strategy: cst.Call) -> Iterator[Match]:
    """Models made outside of the scope of a strategy that the file uses, or never uses."""
    used = scoped_work(flow)
    for call in flow.model.names.calls:
        if not (makes_model(flow, call) or gives_model(flow, call)) or _is_part(flow, call):
            continue
        if not _may_follow(flow, strategy, call):
            home = flow.model.function_of(strategy)
            sites = sites_in(flow, home, call, _DEPTH) if used else ()
            made = (s for s in sites if not (lexically_in_scope(flow, s) or gets(flow, s, strategy)))
            site = next(made, None)
            if site is None:
                continue
            call = site
        elif in_scope(flow, call, _DEPTH):
            continue
        labels: tuple[Label, ...] = (Label("the strategy is made here", strategy),)
        if used:
            labels = (*labels, Label("used with it", used[0]))
            yield Match(call, {"what": flow.model.short(call, 40)}, "outside", labels)
        elif not has_scope(flow) and trained(flow):
            yield Match(strategy, labels=(Label("stays on one GPU", call),))
            return


def _optimizers(flow: Flow, strategy: cst.Call) -> Iterator[Match]:
    """Optimizers made outside of the scope that compile a model in it, or step in what the strategy runs."""
    used = scoped_work(flow)
    if not used:
        return
    given = [argument(c, 0, "optimizer") for c in used if dotted(c.func).endswith(".compile")]
    given += [o for _, o in method_calls(flow, "apply_gradients") if len(used) > len(given)]
    home = flow.model.function_of(strategy)
    for call in {s: None for g in given if g is not None for s in flow.sources(g)}:
        if not isinstance(call, cst.Call) or flow.model.function_of(call) is not home:
            continue
        if _OPTIMIZERS.match(flow.api(call.func)) and not lexically_in_scope(flow, call):
            labels = (Label("the strategy is made here", strategy), Label("used with it", used[0]))
            yield Match(call, {"what": flow.model.short(call, 40)}, "outside", labels)


def _is_part(flow: Flow, call: cst.Call) -> bool:
    """Whether a model is a piece of another: it stands in a class of layers."""
    owner = flow.model.class_of(call)
    return owner is not None and any(is_keras(flow.api(b.value)) for b in owner.bases)


def _may_follow(flow: Flow, strategy: cst.Call, call: cst.Call) -> bool:
    """Whether the model and the strategy belong together: one function, or the top level makes it."""
    same = flow.model.function_of(strategy) is flow.model.function_of(call)
    return same or flow.model.function_of(strategy) is None
