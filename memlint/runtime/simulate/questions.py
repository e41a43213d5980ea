"""What a run has asked about its card: on cards that give the same answers it needs no second simulation."""

from __future__ import annotations

from collections.abc import Callable

from memlint.runtime.cards import Card, answer

FEWEST, MOST = 24, 170
"""Multiprocessors of the smallest and of the largest card of the table."""

MATTERS = 1 << 20
"""Bytes by which what kernels work in may differ between cards that are taken for alike."""


class Questions:
    """Answers for the card of this process, and remembers what was asked (see `cards.answer`)."""

    def __init__(self) -> None:
        self.card: Card | None = None
        self.asked: dict[str, None] = {}

    def at_least(self, major: int, minor: int = 0) -> bool:
        """Whether the compute capability is that or a higher one."""
        return bool(self._answer(f"at least {major}.{minor}"))

    def capability(self) -> tuple[int, int]:
        """The compute capability: no other card gives the same answer unless it has the same."""
        self._answer("capability")
        assert self.card is not None
        return self.card.capability

    def total(self) -> int:
        """Bytes that the driver lets programs use: every card is different then."""
        self._answer("size")
        assert self.card is not None
        return self.card.total

    def by_processors(self, card: Card, size: Callable[[int], int]) -> int:
        """Bytes that a kernel works in, which `size` tells by the multiprocessors of a card."""
        found = size(card.processors)
        if "multiprocessors" not in self.asked:
            others = size(FEWEST), size(MOST)
            if max(found, *others) - min(found, *others) >= MATTERS:
                self.asked["multiprocessors"] = None
        return found

    def of(self, card: Card, question: str) -> object:
        """What a card answers; it is to be that of this process."""
        self.asked[question] = None
        return answer(card, question)

    def _answer(self, question: str) -> object:
        assert self.card is not None
        return self.of(self.card, question)


QUESTIONS = Questions()
"""Those of this process: a simulation imagines one GPU."""
