"""The largest value of something with which a script fits, found by few simulations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from memlint.session import Trial
from memlint.session.fit import FITS

MOST_TRIALS = 16
FINE = 64
"""Of larger values than that, only multiples of a power of two are tried."""

HIGHEST = 1 << 24
FARTHEST = 10
"""Times the largest value that is known to fit: a straight line is not trusted further."""

FLAT = 64
"""Times a value: where so many need no more, the need does not grow. A few times as many may not show beside
what does not depend on them, such as the step of the optimizer."""

CURVED = 0.05
"""Share by which needs must rise faster behind the second of three values than before, to lie on a curve."""

Try = Callable[[int], Trial]
Point = tuple[int, int]
"""A value and its bytes."""

Weigh = Callable[[Trial], int]
"""The least bytes with which a value fits: torch gives back what it has cached before memory runs out."""


def needs(row: Trial) -> int:
    """The bytes that a value needs, cached blocks among them."""
    return row.needs


@dataclass(slots=True)
class Bracket:
    """What the trials so far say: the largest value that fits, and the smallest that does not.

    `room` are the bytes that there are, `trials` those that were made, in order. No value above `cap`
    is tried (0: there is none). `weigh` tells the bytes that decide.
    """

    room: int
    trials: list[Trial] = field(default_factory=list)
    cap: int = 0
    weigh: Weigh = needs

    @property
    def low(self) -> Trial | None:
        """The trial with the largest value that fits."""
        return max((row for row in self.trials if row.verdict == FITS), key=_value, default=None)

    @property
    def high(self) -> Trial | None:
        """The trial with the smallest value that does not."""
        return min((row for row in self.trials if row.verdict != FITS), key=_value, default=None)

    def guess(self) -> int:
        """The value to try next; 0 when the largest is known.

        Where several needs are known, it is what a curve through them gives; else twice, or half, of what is
        known, and far more where twice as many need no more.
        """
        low, high = self.low, self.high
        if low is None:
            least = high.value if high is not None else 2
            line = self._expected() or least // 2
            return max(1, min(line, least - 1)) if least > 1 else 0
        if high is None:
            if self.cap and low.value >= self.cap:
                return 0
            farthest = FARTHEST * low.value
            wanted = min(self._expected() or (farthest if self._is_level() else 2 * low.value), farthest)
            # Above the room it still fits where cached blocks are given back: nobody knows for how long.
            above = sum(self.weigh(row) > self.room for row in self.trials)
            farther = max(_rounded(wanted), low.value + (_grain(low.value) << above))
            return min(farther, self.cap) if self.cap else farther
        grain = _grain(low.value)
        if high.value - low.value <= grain:
            return 0
        wanted = self._expected()
        unlikely = not low.value <= wanted < high.value
        if unlikely or high.problem or len(self.trials) > MOST_TRIALS // 2:
            wanted = (low.value + high.value) // 2
        return min(max(_rounded(wanted), low.value + grain), high.value - 1)

    def _is_level(self) -> bool:
        """Whether the largest value tried needs what a smaller one needs."""
        ordered = sorted(self.trials, key=_value)
        return len(ordered) > 1 and ordered[-1].needs == ordered[-2].needs

    def _expected(self) -> int:
        """The largest value with room, by the curve through what is known nearest to it; 0 for no answer.

        A line, where two needs are known: one on either side of the room, if there are such. With a third,
        a parabola: needs of lengths and image sizes grow with their square.
        """
        known = [(row.value, self.weigh(row)) for row in self.trials if not row.problem]
        ran = sorted(known, key=lambda point: abs(point[1] - self.room))
        below = [point for point in ran if point[1] <= self.room]
        above = [point for point in ran if point[1] > self.room]
        nearest = [*below[:1], *above[:1]] if below and above else ran[:2]
        if len(nearest) < 2:
            return 0
        third = next((point for point in ran if point not in nearest), None)
        curved = _on_parabola(self.room, [*nearest, third]) if third is not None else 0
        return curved or _on_line(self.room, nearest)


def _on_line(room: int, known: list[Point]) -> int:
    (x0, y0), (x1, y1) = sorted(known)
    if y1 <= y0 or x0 == x1:
        return 0
    return x0 + (room - y0) * (x1 - x0) // (y1 - y0)


def _on_parabola(room: int, known: list[Point]) -> int:
    """Where a parabola through three needs that bends upwards has that room; 0 where it does not."""
    (x0, y0), (x1, y1), (x2, y2) = sorted(known)
    if len({x0, x1, x2}) < 3:
        return 0
    first, second = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    bend = (second - first) / (x2 - x0)
    slope = first - bend * (x0 + x1)
    under = slope * slope - 4 * bend * (y0 - first * x0 + bend * x0 * x1 - room)
    # Needs that grow in a straight line differ from one by roundings.
    if first <= 0 or bend * (x2 - x0) < CURVED * first or under < 0:
        return 0
    return int((math.sqrt(under) - slope) / (2 * bend))


def largest(
    given: Trial, room: int, attempt: Try, cap: int = 0, weigh: Weigh = needs
) -> tuple[list[Trial], str]:
    """All trials, `given` the first, until the largest value that fits is between two of them.

    Beside them why the search ended otherwise, "" where it did not: a need that does not grow with the
    value, a value with which the script does not run, too many trials, or the value `cap`, of which the data
    have no more (0: that is not known).
    """
    found = Bracket(room, [given], cap, weigh)
    while (value := found.guess()) and len(found.trials) < MOST_TRIALS:
        if value > HIGHEST:
            return found.trials, f"no value up to {HIGHEST:,} is too large"
        found.trials.append(attempt(value))
        if still := _flat(found.trials):
            return found.trials, still
    if value:
        return found.trials, f"given up after {MOST_TRIALS} simulations"
    high = found.high
    if high is None and cap:
        return found.trials, f"the data have {cap:,} items"
    if high is not None and high.problem:
        return found.trials, f"with {high.value:,} the script does not run: {high.problem}"
    return found.trials, ""


def _flat(trials: list[Trial]) -> str:
    """Whether the largest value needs what one of a fraction needs: then the value does not matter."""
    other = max(trials, key=_value)
    one = min((row for row in trials if row.needs == other.needs), key=_value)
    if other.value >= FLAT * one.value and not other.problem:
        return f"the peak is that of {one.value:,}: it does not depend on it, or the data have no more"
    return ""


def _value(row: Trial) -> int:
    return row.value


def _grain(value: int) -> int:
    return 1 << max(0, (value // FINE).bit_length() - 1) if value >= FINE else 1


def _rounded(value: int) -> int:
    grain = _grain(value)
    return value // grain * grain
