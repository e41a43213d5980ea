"""Conditions that hang on values which a simulation has made up: what the script needs when they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memlint.session import Arm, Decided

MOST = 3
"""Simulations with a single condition turned, where one with all of them says nothing."""

NAMED = 3
"""Conditions that a note names."""

MORE = 1 << 20
"""Bytes from which the other way needs more."""

Attempt = Callable[[tuple[str, ...]], Arm | None]
"""A run with some conditions turned, by their keys; None where it did not come to its end."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What came of the other ways: the keys of the conditions that are to be turned, their run, and notes."""

    turned: tuple[str, ...] = ()
    arm: Arm | None = None
    notes: tuple[str, ...] = ()


def open_to(arm: Arm) -> tuple[Decided, ...]:
    """Conditions of a run whose other way may take memory, and was not taken."""
    rows = arm.simulation.decided if arm.simulation is not None else ()
    return tuple(row for row in rows if row.other)


def worst(original: Arm, *, known: bool, attempt: Attempt) -> Ways:
    """The way on which the script needs most, by at most 1 + MOST simulations.

    All conditions are turned together first; where that run does not come to its end, one by one. Of a
    script that did not come to its end itself (`known` is false), the last ones may have been the reason.
    """
    rows = open_to(original)
    if not rows:
        return Ways()
    tried: list[tuple[tuple[Decided, ...], Arm]] = []
    if known and (arm := attempt(tuple(row.key for row in rows))) is not None:
        tried.append((rows, arm))
    elif not known or len(rows) > 1:
        for row in rows[-MOST:] if known else rows[: -MOST - 1 : -1]:
            if (arm := attempt((row.key,))) is not None:
                tried.append(((row,), arm))
                if not known:
                    break
    if not tried:
        return Ways(notes=(f"{_which(rows)} invented values: what the other way needs is not known",))
    turned, arm = max(tried, key=lambda pair: pair[1].cuda["reserved_peak"])
    if known and arm.cuda["reserved_peak"] < original.cuda["reserved_peak"] + MORE:
        some = f", {len(tried)} of {len(rows)} simulated" if len(tried) > 1 else ""
        return Ways(notes=(f"{_which(rows)} invented values: the other way needs no more{some}",))
    way = "the other way needs more, and is what is told" if known else "simulated the other way"
    return Ways(tuple(row.key for row in turned), arm, (f"{_which(turned)} invented values: {way}",))


def _which(rows: tuple[Decided, ...]) -> str:
    places = list(dict.fromkeys(f"{row.file}:{row.line}" for row in rows))
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    named = ", ".join(places[:NAMED]) + more
    return f"the condition at {named} hangs on" if len(places) == 1 else f"the conditions at {named} hang on"
