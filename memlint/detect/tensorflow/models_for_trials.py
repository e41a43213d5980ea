"""Keras models that a search for hyperparameters builds for each trial, and a server for each request."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

import libcst as cst

from memlint.analysis.dataflow.guards import never_runs
from memlint.analysis.dataflow.program_points import LoopNode
from memlint.analysis.knowledge import code_words
from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import led_to, makes_model
from memlint.analysis.tensorflow.searches import Trials, handlers, runs_in, searches
from memlint.detect.tensorflow.sessions import builds
from memlint.syntax.expressions import speaks_of
from memlint.syntax.tree import dotted

_WHY_NOT = "where the model is to be loaded once is for you to say"


def built_for_each_trial(flow: Flow, used: Sequence[cst.Call], told: Collection[LoopNode]) -> Iterator[Match]:
    """The first model that each trial of a search builds, where it uses one by a call of `used`.

    None where a loop inside of the trial, of those in `told`, is reported for its models.
    """
    for found in searches(flow):
        inside = partial(runs_in, flow, function=found.function)
        made = (c for c in flow.model.names.calls if makes_model(flow, c) or builds(flow, c))
        first = next((c for c in made if inside(c) and not never_runs(flow.model, c)), None)
        if first is None or any(map(inside, told)) or not any(map(inside, used)):
            continue
        if any(map(inside, led_to(flow, "clear_session"))):
            continue
        if not speaks_of(found.function.body, code_words.KERAS_CLEANUP):
            yield _for_each_trial(flow, first, found)


def _for_each_trial(flow: Flow, first: cst.Call, found: Trials) -> Match:
    labels = (Label(f"`{found.function.name.value}` runs for each trial of this search", found.search),)
    return Match(first, {"model": flow.model.short(first, 36)}, "trial", labels)


def built_for_each_request(flow: Flow, used: Sequence[cst.Call]) -> Iterator[Match]:
    """The first model that a handler of requests builds or loads, where it uses one by a call of `used`."""
    for found in handlers(flow):
        inside = partial(runs_in, flow, function=found.function)
        made = (c for c in flow.model.names.calls if makes_model(flow, c) and inside(c))
        first = next((c for c in made if not is_lazy(flow, c) and not _is_cached(flow, c, found)), None)
        if first is None or never_runs(flow.model, first) or not any(map(inside, used)):
            continue
        if any(map(inside, led_to(flow, "clear_session"))):
            continue
        labels = (Label(f"`{found.function.name.value}` runs for each request", found.search),)
        values = {"model": flow.model.short(first, 36)}
        yield Match(first, values, "request", labels, no_fix=_WHY_NOT)


def is_lazy(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a model is only made when there is none yet: `if not self.model: self.model = ...`, or when a
    table lacks it: `if key not in models: models[key] = ...`."""
    parent = flow.model.parent(node)
    names = {dotted(t.target) for t in parent.targets} if isinstance(parent, cst.Assign) else set()
    branches = [a for a in flow.model.ancestors(node) if isinstance(a, cst.If)]
    stores = [s for branch in branches for s in flow.model.every(cst.Assign, branch.body)]
    targets = [t.target for s in stores if s.value is node or dotted(s.value) in names for t in s.targets]
    names |= {dotted(t.value) for t in targets if isinstance(t, cst.Subscript)}
    return any(dotted(n) in names for b in branches for n in flow.model.walk(b.test) if dotted(n))


def _is_cached(flow: Flow, node: cst.CSTNode, handler: Trials) -> bool:
    """Whether a helper with a decorator, such as `lru_cache`, makes the model for a handler."""
    own = flow.model.function_of(node)
    return own is not None and own is not handler.function and bool(own.decorators)
