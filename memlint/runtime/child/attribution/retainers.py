"""What holds the tensors that grown lines have left behind: walks up from them through Python's objects.

For each line the nearest object that leads to nearly all of its tensors counts (the list, not the tensors in
it), under the name by which the script reaches it. Objects are only looked at, none is changed; what C++
alone holds stays without a name.
"""

from __future__ import annotations

import gc
import threading
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch

from memlint.runtime.child.attribution.climb import Climb, Described, Place
from memlint.runtime.child.attribution.graphs import Piles, reached
from memlint.runtime.child.private import plainly, unwatched
from memlint.session import Holder

SAMPLE = 48
"""Storages that are looked for, shared out among the lines."""

MOST_LINES = 24
"""Lines whose storages are looked for, those with the most bytes first."""

MOST_TENSORS = 192
"""Tensors from which the search begins, and two for each storage that none of these leads to."""


def holders_of(
    left: Mapping[Place, list[int]],
    sizes: Callable[[int], int],
    alive: Iterable[tuple[int, int]],
    is_project: Callable[[str], bool],
    piles: Piles | None = None,
    numbers: dict[str, dict[str, int]] | None = None,
) -> tuple[Holder, ...]:
    """What holds storages that lines have left behind, and the nodes that pile up.

    `left` are those storages by what made them, `sizes` gives the bytes of one, and `alive` are (address,
    storage) of all that are followed. `piles` counts the autograd nodes that are met. `numbers` gets, by the
    names of containers, the whole numbers that the script's code has beside each.
    """
    still = dict(alive)
    followed = set(still.values())
    wanted = {place: [i for i in indices if i in followed] for place, indices in left.items()}
    wanted = dict(sorted(wanted.items(), key=lambda row: -sum(map(sizes, row[1]))))
    found = []
    known = numbers if numbers is not None else {}
    for looked_for, holders in _holders(wanted, still, is_project, piles, known):
        total = sum(map(sizes, looked_for))
        found += [replace(holder, bytes=sum(map(sizes, held)), of=total) for holder, held in holders]
    return tuple(found)


def _holders(
    left: Mapping[Place, list[int]],
    alive: Mapping[int, int],
    is_project: Callable[[str], bool],
    piles: Piles | None,
    numbers: dict[str, dict[str, int]],
) -> list[tuple[list[int], list[Described]]]:
    """By line: the storages that were looked for, and the objects that hold them."""
    chosen = _sample(left)
    if not chosen and piles is None:
        return []
    bits = {index: bit for bit, index in enumerate(i for indices in chosen.values() for i in indices)}
    by_type: dict[type, list[Any]] = {}
    for value in gc.get_objects():
        by_type.setdefault(type(value), []).append(value)
    tensors = [value for kind, values in by_type.items() if torch.Tensor in kind.__mro__ for value in values]
    if piles is not None:
        piles.first_bit = len(bits)
    with unwatched(), plainly():
        cover = reached(tensors, {address: bits[i] for address, i in alive.items() if i in bits}, piles)
    masks = {place: sum(1 << bits[i] for i in indices) for place, indices in chosen.items()}
    if piles is not None and (place := piles.place()) is not None:
        masks[place], chosen[place] = piles.mask, []
    cover = _starts(cover)
    found = Climb(is_project, {id(value): value for value in tensors if id(value) in cover}, cover)
    for value in by_type.get(types.FunctionType, ()):
        found.add_function(value)
    for kind, values in by_type.items():
        if threading.local in kind.__mro__:
            found.add_locals(values)
    found.add_arrays(by_type)
    # What is only here is no holder.
    by_type.clear()
    tensors.clear()
    if masks:
        found.climb(list(masks.values()))
    by_bit = {bit: index for index, bit in bits.items()}
    rows = []
    for place, mask in masks.items():
        held = found.holders(mask)
        described = [found.describe(key, part, by_bit, place) for key, part in held]
        rows.append((chosen[place], described))
        for (key, _), (holder, _) in zip(held, described, strict=True):
            if holder.entries and not holder.bound:
                numbers[holder.name] = found.numbers(key)
    found.let_go()
    return rows


def _starts(cover: Mapping[int, int]) -> dict[int, int]:
    """Tensors from which to search, with what each leads to: those that lead to most, and some for the rest.

    Most of a long graph's tensors are held by the graph itself: those that hold most of it come first.
    """
    ordered = sorted(cover.items(), key=lambda row: -row[1].bit_count())
    chosen = dict(ordered[:MOST_TENSORS])
    once = twice = 0
    for bits in chosen.values():
        once, twice = once | bits, twice | (once & bits)
    for key, bits in ordered[MOST_TENSORS:]:
        if bits & ~twice:
            chosen[key] = bits
            once, twice = once | bits, twice | (once & bits)
    return chosen


def _sample(left: Mapping[Place, list[int]]) -> dict[Place, list[int]]:
    """Some storages of each line, spread over all of them."""
    places = [place for place in left if left[place]][:MOST_LINES]
    share = max(4, SAMPLE // max(len(places), 1))
    return {place: left[place][:: -(-len(left[place]) // share)] for place in places}
