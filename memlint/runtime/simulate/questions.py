"""What a run has asked about its card: on cards that give the same answers it needs no second simulation."""

from __future__ import annotations

from collections.abc import Callable, Collection

from memlint.runtime.cards import Card, answer

BySize = Callable[[int], int]
"""Bytes by the number of multiprocessors."""


class Questions:
    """Answers for the card of this process, and remembers what was asked (see `cards.answer`).

    `counts` are the multiprocessors of other cards that the run's requests are made again for. `varies` says
    that a size was told that is another one there, `ahead` what the next block has there: such sizes need no
    second simulation.
    """

    def __init__(self) -> None:
        self.card: Card | None = None
        self.asked: dict[str, None] = {}
        self.counts: Collection[int] = ()
        self.varies = False
        self.ahead: BySize | None = None

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

    def processors(self) -> int:
        """The number of multiprocessors, for the script."""
        self._answer("multiprocessors")
        assert self.card is not None
        return self.card.processors

    def by_processors(self, card: Card, size: BySize) -> int:
        """Bytes that a kernel works in, which `size` tells by the multiprocessors of a card."""
        found = size(card.processors)
        self.varies = self.varies or any(size(count) != found for count in self.counts)
        return found

    def of_next_block(self, size: BySize) -> int:
        """Bytes of the block that is asked for next."""
        assert self.card is not None
        self.ahead = size
        return size(self.card.processors)

    def sizes_ahead(self) -> dict[int, int]:
        """What the block that is asked for now has on other cards, by their multiprocessors."""
        size, self.ahead = self.ahead, None
        return {count: size(count) for count in self.counts} if size is not None else {}

    def of(self, card: Card, question: str) -> object:
        """What a card answers; it is to be that of this process."""
        self.asked[question] = None
        return answer(card, question)

    def _answer(self, question: str) -> object:
        assert self.card is not None
        return self.of(self.card, question)


QUESTIONS = Questions()
"""Those of this process: a simulation imagines one GPU."""
