"""Lightning's epochs, which count their batches: validation comes with the last one, and with no other."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

_PLACES = ("lightning.pytorch.loops.training_epoch_loop", "pytorch_lightning.loops.training_epoch_loop")
_LOOP = "_TrainingEpochLoop"
_watched: set[str] = set()


def watch(cuts: Callable[[], int]) -> None:
    """Let an epoch of which a pass was cut end as if its last batch had come; `cuts` counts those so far."""
    for place in _PLACES:
        loop = getattr(sys.modules.get(place), _LOOP, None)
        if loop is not None and place not in _watched:
            _watched.add(place)
            loop.advance = _to_the_end(loop.advance, cuts)


def _to_the_end(advance: Callable[..., Any], cuts: Callable[[], int]) -> Callable[..., Any]:
    @functools.wraps(advance)
    def advance_to_the_end(loop: Any, fetcher: Any, *args: Any) -> Any:
        before = cuts()
        try:
            return advance(loop, fetcher, *args)
        except StopIteration:
            # A hook of the script may end the epoch, too.
            if cuts() != before and fetcher.length is not None:
                progress = loop.batch_progress
                fetcher.fetched = progress.current.ready = fetcher.length
                progress.is_last_batch = True
                loop.on_advance_end(fetcher)
            raise

    return advance_to_the_end
