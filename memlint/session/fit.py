"""What `memlint fit` found out: which cards a script fits into, what it needs, how large a value may be."""

from __future__ import annotations

from dataclasses import dataclass

from memlint.session.memory import Exhausted

FITS, MAY_NOT, BREAKS, UNKNOWN = "fits", "may not fit", "does not fit", "unknown"
"""Verdicts on a script and a card."""


@dataclass(frozen=True, slots=True)
class Term:
    """A part of what a script needs on a card, between `least` and `most` bytes.

    `basis` says how it is known: "exact" (added up), "modelled" (as torch's source has it), "seen" (on such
    cards), "bounded" (at most that), or "unknown" (then `least` is the bound of which a script cannot do with
    less, and `most` is 0).
    """

    name: str
    least: int
    most: int
    basis: str
    what: str


@dataclass(frozen=True, slots=True)
class OnCard:
    """A script on one card; sizes in bytes.

    `card` is the name of the card ("" for one given by its size) and `title` what it is called in full,
    `total` what it has. `needs` is what torch's allocator reserves and the process holds beside it, with
    the band from `least` to `most` that the context's size leaves open. `enough` is the least with which
    it was found to run, cached blocks being given back (0: not looked for). `retries` is how often that
    happened, where it fits only so. `asked` are the bytes that could not be had (0: not known), and
    `exhausted` says where, if it does not fit and that is known. `grows` are bytes that every step leaves
    behind.
    """

    card: str
    title: str
    capability: tuple[int, int]
    total: int
    verdict: str
    needs: int = 0
    least: int = 0
    most: int = 0
    enough: int = 0
    retries: int = 0
    asked: int = 0
    exhausted: Exhausted | None = None
    arm: str = ""
    grows: int = 0

    @property
    def free(self) -> int:
        """Bytes that are left of the card; negative where it has too little."""
        return self.total - self.needs


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that was cut short and keeps memory of each iteration; sizes in bytes.

    `ran` and `ran_again` of its `of` iterations took place in two simulations, which differ by `each` for
    every iteration; the rest of it takes `more` than the first simulation has shown.
    """

    file: str
    line: int
    ran: int
    ran_again: int
    of: int
    each: int
    more: int


@dataclass(frozen=True, slots=True)
class Growing:
    """What a script leaves behind with every step; sizes in bytes.

    It is `each`, most of it made at `file`:`line`. `ran` steps were simulated of the `of` that the script's
    loops would make at most (0: not known); those that were not take `more` (0 where their number is not
    known). `until` is what ends the growth where all of it goes into containers that are full at some time;
    `more` is what they take until then (0: not known).
    """

    file: str
    line: int
    each: int
    ran: int
    of: int
    more: int
    until: str = ""

    def decides(self, card: OnCard) -> bool:
        """Whether a card has room for the steps that were simulated in any case."""
        return card.most - self.more <= card.total

    def full_after(self, card: OnCard) -> int:
        """The steps after which a card that holds those that were simulated may be full."""
        return self.ran + (card.total - (card.most - self.more)) // self.each


@dataclass(frozen=True, slots=True)
class Trial:
    """The script with another value: its `needs` in bytes and the verdict, or why it did not run."""

    value: int
    arm: str
    needs: int
    verdict: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """The largest value of something that fits.

    `name` is what was asked for ("--batch-size") and `what` what it is in the script ("option of the
    script", "train.py:12"); `given` is its value there. `best` is the largest that fits, and `limit` the
    smallest found that does not (0: none). `ended` says why the search ended otherwise.
    """

    name: str
    what: str
    given: int
    best: int
    limit: int
    trials: tuple[Trial, ...]
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change to the script that was simulated, and saved something on the first card.

    `code`, `name`, `path` and `line` are those of the finding whose fix it is, `title` what it does. A change
    that no fix writes has no code, path and line, and no applicability: `how` says how to write it, and
    `price` what it costs beside memory.
    `saved` are the bytes by which the script `needs` less, `tensors` those by which the peak of its tensors
    is lower: the allocator's reserve makes the two differ. `growth` are those by which each step leaves less
    behind. `arm` is the run that says so, and `diff` what is written.
    """

    code: str
    name: str
    path: str
    line: int
    title: str
    applicability: str
    saved: int
    needs: int
    verdict: str
    arm: str
    price: str = ""
    how: str = ""
    tensors: int = 0
    growth: int = 0
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Together:
    """The changes (`arms`, the runs of each alone) that were simulated together; `diff` is what they change.

    They are the cheapest found with which it fits, or those that save most where none suffice.
    """

    arms: tuple[str, ...]
    needs: int
    verdict: str
    diff: str
    arm: str


@dataclass(frozen=True, slots=True)
class Fit:
    """The answer of `memlint fit`: on the first of `cards`, and on others where several were asked for.

    `budget` are the bytes that the script may need (0: no matter). `terms` are what the need on the first
    card is made of. `loop` was cut short, and what the rest of it would take is in the needs of the cards.
    `growing` is what piles up from step to step, and in the needs as far as the number of steps is known.
    `masked` are the bytes of the need that are there because masks are taken to select everything, where
    what they select is not known.
    `remedies` are the changes that save something there, the most first (None where none
    were tried), and `together` those that make it fit: one of these may save tensors only, and memory of the
    card no more than together with others.
    """

    cards: tuple[OnCard, ...]
    terms: tuple[Term, ...] = ()
    budget: int = 0
    search: Search | None = None
    loop: Loop | None = None
    growing: Growing | None = None
    masked: int = 0
    remedies: tuple[Remedy, ...] | None = None
    together: Together | None = None

    @property
    def first(self) -> OnCard:
        """The card that was asked for."""
        return self.cards[0]

    @property
    def within(self) -> bool:
        """Whether the whole band lies within the budget."""
        return not self.budget or (self.first.verdict == FITS and self.first.most <= self.budget)
