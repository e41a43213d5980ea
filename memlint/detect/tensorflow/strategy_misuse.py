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
from memlint.detect.tensorflow.pipelines import Pipelines
from memlint.detect.tensorflow.sessions import gives_model
from memlint.syntax.arguments import argument
from memlint.syntax.tree import dotted

_STRATEGIES = (
    "tf.distribute.MirroredStrategy",
    "tf.distribute.MultiWorkerMirroredStrategy",
    "tf.distribute.experimental.MultiWorkerMirroredStrategy",
)
_OPTIMIZERS = re.compile(r"^(keras|tf)\.optimizers\.(legacy\.|experimental\.)?[A-Z]\w*$")
_RUNS = ("run", "experimental_run_v2", "experimental_distribute_dataset", "distribute_datasets_from_function")
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
        yield from _unscaled(flow)


# --- models outside of the scope ------------------------------------------------------------------------


def _outside(flow: Flow, strategy: cst.Call) -> Iterator[Match]:
    used = _scoped_work(flow)
    for call in flow.model.names.calls:
        if not (makes_model(flow, call) or gives_model(flow, call)) or _is_part(flow, call):
            continue
        if not _may_follow(flow, strategy, call):
            home = flow.model.function_of(strategy)
            made = (s for s in _sites_in(flow, home, call, _DEPTH) if not _lexically_in_scope(flow, s))
            site = next(made, None) if used else None
            if site is None:
                continue
            call = site
        elif _in_scope(flow, call, _DEPTH):
            continue
        labels: tuple[Label, ...] = (Label("the strategy is made here", strategy),)
        if used:
            labels = (*labels, Label("used with it", used[0]))
            yield Match(call, {"what": flow.model.short(call, 40)}, "outside", labels)
        elif not _has_scope(flow) and trained(flow):
            yield Match(strategy, labels=(Label("stays on one GPU", call),))
            return


def _optimizers(flow: Flow, strategy: cst.Call) -> Iterator[Match]:
    """Optimizers made outside of the scope that compile a model in it, or step in what the strategy runs."""
    used = _scoped_work(flow)
    if not used:
        return
    given = [argument(c, 0, "optimizer") for c in used if dotted(c.func).endswith(".compile")]
    given += [o for _, o in method_calls(flow, "apply_gradients") if len(used) > len(given)]
    home = flow.model.function_of(strategy)
    for call in {s: None for g in given if g is not None for s in flow.sources(g)}:
        if not isinstance(call, cst.Call) or flow.model.function_of(call) is not home:
            continue
        if _OPTIMIZERS.match(flow.api(call.func)) and not _lexically_in_scope(flow, call):
            labels = (Label("the strategy is made here", strategy), Label("used with it", used[0]))
            yield Match(call, {"what": flow.model.short(call, 40)}, "outside", labels)


def _is_part(flow: Flow, call: cst.Call) -> bool:
    """Whether a model is a piece of another: it stands in a class of layers."""
    owner = flow.model.class_of(call)
    return owner is not None and any(is_keras(flow.api(b.value)) for b in owner.bases)


def _in_scope(flow: Flow, node: cst.CSTNode, depth: int) -> bool:
    """Whether a node runs inside `with strategy.scope():`, in its own function or in every caller's."""
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.With) and any(_is_scope(flow, i.item) for i in above.items):
            return True
        if isinstance(above, cst.FunctionDef):
            sites = flow.sites(above)
            if not depth or not sites:
                return True
            return all(_in_scope(flow, site, depth - 1) for site in sites)
    return False


def _is_scope(flow: Flow, node: cst.BaseExpression) -> bool:
    code = flow.model.code(node)
    return ".scope(" in code or "scope" in code.lower() or "strategy" in code.lower()


def _has_scope(flow: Flow) -> bool:
    return any(True for _ in method_calls(flow, "scope"))


def _scoped_work(flow: Flow) -> list[cst.Call]:
    """What needs the variables inside: a compile or fit in the scope, or steps that the strategy runs."""
    compiled = [c for c, _ in method_calls(flow, "compile", "fit") if _lexically_in_scope(flow, c)]
    run = [c for c, o in method_calls(flow, *_RUNS) if "strategy" in flow.model.code(o).lower()]
    return compiled + run


def _lexically_in_scope(flow: Flow, node: cst.CSTNode) -> bool:
    around = (a for a in flow.model.ancestors(node) if isinstance(a, cst.With))
    return any(_is_scope(flow, item.item) for a in around for item in a.items)


def _sites_in(flow: Flow, home: cst.FunctionDef | None, node: cst.CSTNode, depth: int) -> Iterator[cst.Call]:
    """The calls in one function that lead to a node in another one."""
    function = flow.model.function_of(node)
    for site in flow.sites(function) if function is not None and depth else ():
        if flow.model.function_of(site) is home:
            yield site
        elif not _lexically_in_scope(flow, site):
            yield from _sites_in(flow, home, site, depth - 1)


def _may_follow(flow: Flow, strategy: cst.Call, call: cst.Call) -> bool:
    """Whether the model and the strategy belong together: one function, or the top level makes it."""
    same = flow.model.function_of(strategy) is flow.model.function_of(call)
    return same or flow.model.function_of(strategy) is None


# --- batch size -----------------------------------------------------------------------------------------


def _unscaled(flow: Flow) -> Iterator[Match]:
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
