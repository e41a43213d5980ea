"""Makes the changes that a run was asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from memlint.runtime.child.changes import blocks, chunks, optimizers, regions, switches
from memlint.runtime.child.changes.batches import accumulate
from memlint.runtime.child.changes.regions import Region

Enter = Callable[[Any], None]

EXPANDABLE = "expandable_segments:True"


def install(changes: Sequence[str]) -> Enter | None:
    """Make changes from now on; what is returned is to be called before each forward pass that trains.

    Raises:
        ValueError: there is no such change.
    """
    entering = [each for change in changes if (each := _install(*change.split(":"))) is not None]
    if not entering:
        return None

    def enter(module: Any) -> None:
        if any(parameter.requires_grad for parameter in module.parameters()):
            for each in entering:
                each(module)

    return enter


def _install(name: str, *words: str) -> Enter | None:
    if name == "accumulate":
        times, numbers = words
        accumulate(int(times), [int(number) for number in numbers.split(",") if number])
        return None
    if name == switches.NAME:
        line, file, dtype = words
        switches.enable(int(line), file, dtype)
        return None
    if name == "expandable":
        # Read when torch's allocator is first asked for memory; the other variable comes second.
        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = EXPANDABLE
        return None
    if name == "chunked-loss":
        chunks.install()
        return None
    if name == "adam-8bit":
        whole: set[int] = set()
        optimizers.eight_bits(whole)
        return _once(lambda model: whole.update(optimizers.embeddings(model))) if words else None
    if name == "adam-paged":
        optimizers.paged()
        return None
    if name == "checkpoint":
        return _once(blocks.run_twice)
    if name in ("autocast", "offload"):
        region = Region(regions.autocast(*words) if name == "autocast" else regions.offload)
        region.install()
        return region.enter
    made = optimizers.Made()
    made.install()
    if name == "step-in-backward":
        return optimizers.InBackward(made).enter
    if name == "freeze":
        return _once(lambda model: optimizers.freeze(model, made))
    raise ValueError(f"{name!r} is no change")


def _once(change: Callable[[Any], None]) -> Enter:
    """Change each model with its first forward pass that trains."""
    known: dict[int, Any] = {}

    def enter(model: Any) -> None:
        if id(model) not in known:
            known[id(model)] = model
            change(model)

    return enter
