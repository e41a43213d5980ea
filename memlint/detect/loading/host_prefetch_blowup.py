"""MEM409: batches that wait in host memory, and pinned memory, add up to gigabytes."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.match import Label, Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.tests_in_code import stands_in_unit_test
from memlint.catalogue import Rule
from memlint.detect.loading.pinned_data import pinned_data
from memlint.detect.loading.waiting_batches import Waiting, waiting_batches
from memlint.units import size

_MUCH = 2 << 30
_SMALL = _MUCH >> 2
"""Bytes of all waiting batches that are a small matter, whatever their number."""

_WORKERS = 32
_AHEAD = 8


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Loaders whose literals let too much wait, one by one or together, and pinned data sets."""
    loaders = [w for w in waiting_batches(model) if not stands_in_unit_test(model, w.call)]
    alone = [w for w in loaders if _is_much(w)]
    for waiting in alone:
        # Loaders of one number of workers and one size of batches: what is right for one is so for all.
        alike = tuple((w.call,) for w in alone if _values(w) == _values(waiting))
        variant = "default" if waiting.total > _MUCH else "unknown"
        yield Match(waiting.call, _values(waiting), variant, causes=alike)
    alive = [w for w in loaders if w.persists]
    if len(alive) > 1 and not alone and _is_much_together(alive):
        last, others = alive[-1], alive[:-1]
        known = all(w.batch for w in alive)
        values = {**_values(last), "workers": f"{sum(w.workers for w in alive)}", "loaders": f"{len(alive)}"}
        values["bytes"] = size(sum(w.total for w in alive)) if known else values["formula"]
        labels = tuple(Label("its workers stay as well", w.call) for w in others)
        yield Match(last.call, values, "together", labels)
    for call, elements in pinned_data(model):
        values = {"call": model.short(call), "bytes": size(4 * elements)}
        yield Match(call, values, "pinned" if 4 * elements > _MUCH else "pinned-unknown")


def _is_much(waiting: Waiting) -> bool:
    """Whether one loader lets more than 2 GiB wait, or very many batches that are not known to be small."""
    if waiting.total > _MUCH:
        return True
    many = waiting.workers > _WORKERS or waiting.prefetch > _AHEAD
    return many and not 0 < waiting.total < _SMALL


def _is_much_together(alive: list[Waiting]) -> bool:
    if all(w.batch for w in alive):
        return sum(w.total for w in alive) > _MUCH
    return sum(w.workers for w in alive) > _WORKERS


def _values(waiting: Waiting) -> dict[str, str]:
    return {
        "count": f"{waiting.count}",
        "workers": f"{waiting.workers}",
        "prefetch": f"{waiting.prefetch}",
        "bytes": size(waiting.count * waiting.batch),
        "batch": size(waiting.batch),
        "formula": f"{waiting.count} × the bytes of a batch",
    }
