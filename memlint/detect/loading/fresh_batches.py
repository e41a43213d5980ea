"""Loaders that give other batches to each new iterator, and start no workers for them."""

from __future__ import annotations

from memlint.analysis.facts import Draw
from memlint.analysis.training.loading.datasets import workers_of
from memlint.analysis.training.loading.workers import value_of
from memlint.analysis.values import NONE, Const, Obj, Ref, options_of, truth
from memlint.detect.loading.loader_expressions import may_have_length


def is_live(draw: Draw) -> bool:
    """Whether the loader has no workers and a data set of the project that makes samples when they are asked
    for: a replay buffer gives others to each new iterator."""
    made = [o.obj for o in options_of(draw.value) if isinstance(o, Ref)]
    idle = bool(made) and all(workers_of(loader) == Const(0) for loader in made)
    return idle and not may_have_length(draw.value)


def is_only_shuffled(draw: Draw) -> bool:
    """Whether the loader draws batches at random and has no workers: nothing is started for a batch."""
    made = [o.obj for o in options_of(draw.value) if isinstance(o, Ref)]
    return bool(made) and all(workers_of(loader) == Const(0) and _is_random(loader) for loader in made)


def _is_random(loader: Obj) -> bool:
    shuffled = value_of(loader, "shuffle")
    if shuffled is not None and truth(shuffled):
        return True
    samplers = (value_of(loader, name) for name in ("sampler", "batch_sampler"))
    return any(value is not None and value != NONE for value in samplers)
