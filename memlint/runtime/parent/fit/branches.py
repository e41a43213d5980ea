"""Conditions that hang on values which a simulation has made up, or count steps: what the other way needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memlint.session import Arm, Decided
from memlint.units import size

MOST = 3
"""Simulations with a single condition turned, where one with all of them says nothing."""

NAMED = 3
"""Conditions that a note names."""

MORE = 1 << 20
"""Bytes from which the other way needs more."""

Attempt = Callable[[tuple[str, ...]], Arm | str]
"""A run with some conditions turned, by their keys; where it did not come to its end, why."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What came of the other ways: the keys of the conditions that are to be turned, their run, and notes.

    `whole` is the run in which all of them were turned, whatever it needs.
    """

    turned: tuple[str, ...] = ()
    arm: Arm | None = None
    notes: tuple[str, ...] = ()
    whole: Arm | None = None


def open_to(arm: Arm) -> tuple[Decided, ...]:
    """Conditions that hang on invented values, whose other way may take memory, and was not taken."""
    return tuple(row for row in _decided(arm) if row.other and not row.counts)


def unmet(arm: Arm) -> tuple[Decided, ...]:
    """Conditions of a run that count steps, whose other way may take memory, and was not taken.

    Where no loop was cut short, there is no later step.
    """
    return tuple(row for row in _decided(arm) if row.other and row.counts) if arm.cuts else ()


def at_a_later_step(original: Arm, attempt: Attempt) -> Ways:
    """What the script needs in steps later than those that were simulated, by at most 1 + MOST simulations.

    All conditions are met in one run; where that does not come to its end, in one each.
    """
    rows = unmet(original)
    if not rows:
        return Ways()
    before = original.cuda["reserved_peak"]
    together = attempt(tuple(row.key for row in rows))
    whole = together if isinstance(together, Arm) else None
    tries = [(rows, together)]
    if whole is None and len(rows) > 1:
        tries += [((row,), attempt((row.key,))) for row in rows[:MOST]]
    tried = [(found, arm) for found, arm in tries if isinstance(arm, Arm)]
    seen = [row for found, _ in tried for row in found]
    notes = []
    if unseen := [row for row in rows if row not in seen]:
        why = next(text for found, text in reversed(tries) if isinstance(text, str) and unseen[0] in found)
        missed = f"{_named(unseen)} came to no other way in the steps that were simulated"
        notes.append(f"{missed} (it was simulated, too, but {_ended(why)}){_UNKNOWN}")
    met, arm = max(tried, key=lambda pair: pair[1].cuda["reserved_peak"], default=((), original))
    if arm.cuda["reserved_peak"] >= before + MORE:
        more = size(arm.cuda["reserved_peak"] - before)
        notes.append(f"{_named(met)} {_LATER}: it needs {more} more, and is what is told")
        return Ways(tuple(row.key for row in met), arm, tuple(notes), whole)
    if seen:
        notes.append(f"{_named(seen)} {_LATER}: it needs no more")
    return Ways(notes=tuple(notes), whole=whole)


def _ended(why: str) -> str:
    """How a run of another way has ended that says nothing."""
    return f"that ended: {why}" if why else "that came to no end"


_LATER = "came out one way in the steps that were simulated; the other way was simulated, too"
_UNKNOWN = ": what a later step needs is not known"


def _decided(arm: Arm) -> tuple[Decided, ...]:
    return arm.simulation.decided if arm.simulation is not None else ()


def _named(rows: Sequence[Decided]) -> str:
    places = list(dict.fromkeys(f"{row.file}:{row.line}" for row in rows))
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    return f"the condition{'s' if len(places) > 1 else ''} at {', '.join(places[:NAMED])}{more}"


def worst(original: Arm, *, known: bool, attempt: Attempt) -> Ways:
    """The way on which the script needs most, by at most 1 + MOST simulations.

    All conditions are turned together first; where that run does not come to its end, one by one. Of a
    script that did not come to its end itself (`known` is false), the last ones may have been the reason.
    """
    rows = open_to(original)
    if not rows:
        return Ways()
    tried: list[tuple[tuple[Decided, ...], Arm]] = []
    found: Arm | str = ""
    if known and isinstance(found := attempt(tuple(row.key for row in rows)), Arm):
        tried.append((rows, found))
    elif not known or len(rows) > 1:
        for row in rows[-MOST:] if known else rows[: -MOST - 1 : -1]:
            if isinstance(found := attempt((row.key,)), Arm):
                tried.append(((row,), found))
                if not known:
                    break
    if not tried:
        other = f"the other way was simulated, too, but {_ended(str(found))}"
        return Ways(notes=(f"{_which(rows)} invented values ({other}): what it needs is not known",))
    turned, arm = max(tried, key=lambda pair: pair[1].cuda["reserved_peak"])
    if known and arm.cuda["reserved_peak"] < original.cuda["reserved_peak"] + MORE:
        some = f", {len(tried)} of {len(rows)} simulated" if len(tried) > 1 else ""
        return Ways(notes=(f"{_which(rows)} invented values: the other way needs no more{some}",))
    way = "the other way needs more, and is what is told" if known else "simulated the other way"
    return Ways(tuple(row.key for row in turned), arm, (f"{_which(turned)} invented values: {way}",))


def _which(rows: tuple[Decided, ...]) -> str:
    several = len({(row.file, row.line) for row in rows}) > 1
    return f"{_named(rows)} {'hang' if several else 'hangs'} on"
