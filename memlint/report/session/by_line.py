"""What each source line costs by a session: bytes at the peak, and bytes that it leaves behind per step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from memlint.report.session.growth_words import counts
from memlint.session import Session
from memlint.units import size


@dataclass(frozen=True, slots=True)
class Cost:
    """Bytes that what a line made, forward and backward, has at the peak, and that it adds in every step."""

    peak: int = 0
    per_step: int = 0

    @property
    def in_words(self) -> str:
        """As "2.1 GiB at the peak, 36 KiB per step"; "" where both are nothing."""
        parts = [f"{size(self.peak)} at the peak"] if self.peak else []
        return ", ".join([*parts, f"{size(self.per_step)} per step"] if self.per_step else parts)


def costs(session: Session) -> dict[tuple[str, int], Cost]:
    """The cost of every line (file, number) of the script as it is that has one."""
    first = session.original
    peak: Counter[tuple[str, int]] = Counter()
    grown: Counter[tuple[str, int]] = Counter()
    for held in first.lines:
        peak[held.made_by] += held.bytes
    for row in (*first.growth, *first.host_growth):
        if counts(row, first) and not row.within:
            grown[row.file, row.line] += row.bytes_per_step
    places = sorted(place for place in peak | grown if place[1])
    return {place: Cost(peak[place], grown[place]) for place in places}
