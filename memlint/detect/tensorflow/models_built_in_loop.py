"""MTF108: a loop, a search or a server builds one Keras model after the other in the same process."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.knowledge import code_words
from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, concerns, flow_of
from memlint.analysis.tensorflow.keras import is_layer_class, led_to, makes_model, method_calls, model_kind
from memlint.analysis.tensorflow.repeats import repeating
from memlint.catalogue import Rule
from memlint.detect.tensorflow.clear_session_fix import cleared_first, hands_out
from memlint.detect.tensorflow.kept_models import is_handed_out, is_kept, is_put_on_object
from memlint.detect.tensorflow.models_for_trials import (
    built_for_each_request,
    built_for_each_trial,
    is_lazy,
)
from memlint.detect.tensorflow.sessions import builds, clears, gives_model
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import header_of

_USES = ("compile", "fit", "evaluate", "predict", "fit_generator", "train_on_batch", "load_weights")
_DEPTH = 4

Site = tuple[cst.CSTNode, cst.Call, LoopNode]


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Models that are built, and used, in each pass of a loop that never clears the session."""
    if not concerns(model):
        return
    flow, told = flow_of(model), set[LoopNode]()
    calls = list(_used(flow))
    yield from _in_loops(flow, calls, told)
    yield from built_for_each_trial(flow, calls, told)
    yield from built_for_each_request(flow, calls)


def _in_loops(flow: Flow, calls: list[cst.Call], seen: set[LoopNode]) -> Iterator[Match]:
    """What loops build, of which the calls use something; the loops are added to `seen`."""
    model = flow.model
    used = {loop for call in calls for run in flow.runs(call) for loop in run}
    clearing = [c for c in led_to(flow, "clear_session") if clears(flow, c)]
    cleared = {loop for call in clearing for run in flow.runs(call) for loop in run}
    for call in model.names.calls:
        if not (makes_model(flow, call) or builds(flow, call) or gives_model(flow, call)):
            continue
        for node, shown, loop in _sites(flow, call, call, 0):
            if loop in seen or loop not in used or loop in cleared or never_runs(model, call):
                continue
            if _cleans(loop) or (isinstance(loop, cst.CompFor) and is_handed_out(flow, call, shown, node)):
                continue
            if is_kept(flow, node, loop) if node is shown else is_put_on_object(flow, shown):
                continue
            seen.add(loop)
            yield _match(flow, shown, _around(flow, node)[-1])


def _used(flow: Flow) -> Iterator[cst.Call]:
    """The calls that train or run a model: its own methods, and those of an optimizer after a tape."""
    yield from (call for call, _ in method_calls(flow, "apply_gradients"))
    for call, owner in method_calls(flow, *_USES):
        if model_kind(flow, owner) != "no":
            yield call


def _sites(flow: Flow, node: cst.Call, shown: cst.Call, depth: int) -> Iterator[Site]:
    """Where a model is made in a loop: the call in the loop, the call to report, the loop."""
    function = flow.model.function_of(node)
    owner = flow.model.class_of(node) if function is not None else None
    if (owner is not None and is_layer_class(flow, owner)) or is_lazy(flow, node):
        return
    loop = repeating(flow, _around(flow, node))
    if loop is not None:
        yield node, shown, loop
    elif function is not None and depth < _DEPTH:
        for site in flow.graph.sites(function):
            made = function.name.value == "__init__" or model_kind(flow, site) == "yes"
            direct = shown is node and made
            yield from _sites(flow, site, site if direct else shown, depth + 1)


def _around(flow: Flow, node: cst.CSTNode) -> list[LoopNode]:
    return list(flow.loops(node))


def _match(flow: Flow, shown: cst.Call, loop: LoopNode) -> Match:
    labels = (Label("built again in each pass of this loop", header_of(loop)),)
    plan = cleared_first(flow, loop) if not hands_out(flow, shown) else None
    values = {"model": flow.model.short(shown, 36)}
    return Match(shown, values, labels=labels, plans=(plan,) if plan else ())


def _cleans(loop: LoopNode) -> bool:
    """Whether each pass of a loop clears the session, by whatever helper."""
    return isinstance(loop, (cst.For, cst.While)) and speaks_of(loop.body, code_words.KERAS_CLEANUP)
