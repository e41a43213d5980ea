"""Caches of tf.data pipelines that hold too much, or more than once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.match import Label, Match
from memlint.analysis.tensorflow.pipelines import Pipelines, method_of
from memlint.detect.tensorflow.consumed_pipelines import site


def caches(pipes: Pipelines) -> Iterator[Match]:
    """Calls of `cache()` in memory behind random steps, of endless data, or of decoded images."""
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
            yield Match(site(call), {}, "frozen", (Label("the random changes are made here", first),))
        elif all(_endless(stages) for stages in before):
            yield Match(site(call), {}, "endless")
        elif all(pipes.decodes_images(p) for p in paths):
            yield Match(site(call), {}, "cached")


def _endless(stages: tuple[cst.Call, ...]) -> bool:
    """Whether the dataset repeats for ever at the end of these stages."""
    repeats = [s for s in stages if method_of(s) == "repeat" and not s.args]
    return bool(repeats) and not any(method_of(s) == "take" for s in stages)
