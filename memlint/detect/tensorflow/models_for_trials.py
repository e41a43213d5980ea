"""Keras models that a search for hyperparameters builds, one for each trial."""

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
from memlint.analysis.tensorflow.searches import Trials, runs_in, searches
from memlint.detect.tensorflow.sessions import builds
from memlint.syntax.expressions import speaks_of


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
