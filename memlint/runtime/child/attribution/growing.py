"""Which lines grow: what each leaves behind from step to step, by its bytes, and what a pass gathers.

A line grows where the bytes that it keeps alive rise, at some steps or at all, and nothing takes that back:
what is released again (an epoch's list, a window, an evaluation) is a growth within a pass at most, and what
stops to grow (a cache that is full, state made late) is none.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median_low
from typing import TypeVar

from memlint.runtime.child.attribution.analyse import BLOCK, Timeline, place, steps_of
from memlint.session import ENOUGH, Growth

K = TypeVar("K", bound=Hashable)

WARM, TAIL, SHARE = 2, 2, 0.8
FULL = ENOUGH - WARM - TAIL
LEAST_TIMES = 3
"""Steps in which a line must have left something: state that is made late comes once, or twice."""

REGROWN_TIMES = 5
"""The same for a line of which one tensor is alive that is ever larger: a cache that adapts does so too."""

LATE_SHARE = 0.25
"""Of what a line leaves behind, the part that comes in the second half: a cache is filled in the first."""

Spans = dict[int, tuple[int, int]]
"""By storage: the iteration in which it was made, and the one in which it was gone."""

Cohorts = dict[int, list[int]]
"""Sizes of storages by the iteration in which they were made."""


@dataclass(frozen=True, slots=True)
class Rise:
    """Iterations `since` to `last` (from 0) in which a line's live bytes rose, `times` of them."""

    since: int
    last: int
    times: int
    bytes: int
    blocks: int

    @property
    def of(self) -> int:
        """The iterations looked at."""
        return self.last - self.since + 1


@dataclass(frozen=True, slots=True)
class Lasting:
    """A line that grows from step to step, and the storages of it that are alive at the end."""

    growth: Growth
    storages: list[int]


def growth(
    line: Timeline, name: Callable[[str], str], lasting: Iterable[Lasting] | None = None
) -> tuple[Growth, ...]:
    """The lines that leave something behind from step to step, and what passes gather; the most first.

    What is gathered within a pass says more of a line only where it grows faster there than by steps.
    `lasting` is what `from_step_to_step` found, where that is known.
    """
    found = [row.growth for row in (from_step_to_step(line, name) if lasting is None else lasting)]
    by_line = {(row.file, row.line): row.bytes_per_step for row in found}
    found += [
        row for row in _gathered(line, name) if row.bytes_per_step > by_line.get((row.file, row.line), 0)
    ]
    return tuple(sorted(found, key=lambda row: (-row.bytes_per_step, row.file, row.line)))


# --- from step to step ------------------------------------------------------------------------------


def from_step_to_step(line: Timeline, name: Callable[[str], str]) -> list[Lasting]:
    """One row for each line whose live bytes rise from step to step."""
    ticks = steps_of(line.log)
    if len(ticks) < ENOUGH:
        return []
    ends = [tick.event for tick in ticks]
    spans = _spans(line, ends)
    by_site: dict[int, list[int]] = defaultdict(list)
    for index in spans:
        by_site[line.log.births[index].site].append(index)
    levels = functools.cache(lambda least: _levels(line, spans, spans, len(ends), least=least))
    found = []
    for site, indices in by_site.items():
        rise, least = _kept(line, spans, indices, len(ends)), TAIL
        if rise is None:
            rise, least = _regrown(line, spans, indices, len(ends)), 0
        if rise is None or not _is_matched(rise, levels(least)):
            continue
        row = Growth(
            *place(line.log, site, name),
            ticks[0].series,
            rise.bytes // rise.of,
            rise.blocks // rise.of,
            rise.times,
            rise.of,
            rise.bytes,
            rise.since + 1,
            device=line.device,
            replaced=least == 0,
            alive=sum(-(-line.log.births[i].size // BLOCK) * BLOCK for i in indices if i not in line.died),
        )
        alive = [i for i in indices if rise.since <= spans[i][0] <= rise.last and i not in line.died]
        # Of what is made again after each step, only what the last step has not seen is there.
        alive = alive or [i for i in line.born if line.log.births[i].site == site and i not in line.died]
        found.append(Lasting(row, alive))
    return sorted(found, key=lambda each: (-each.growth.bytes, each.growth.file, each.growth.line))


def _spans(line: Timeline, ends: Sequence[int], outliving: int = 1) -> Spans:
    """Of the storages that outlive so many iterations' ends: when each was made and gone, as iterations.

    The parameters that are trained, their gradients and their state are left out: a model may be made larger.
    """
    found: Spans = {}
    for index, start in line.born.items():
        made = bisect_right(ends, start)
        gone = bisect_right(ends, line.died.get(index, line.end))
        if gone - made >= outliving and index not in line.log.trained:
            found[index] = made, gone
    return found


def _levels(
    line: Timeline, spans: Spans, indices: Iterable[int], count: int, *, least: int, block: int = 1
) -> list[int]:
    """Bytes alive at the end of each of `count` iterations, of storages that outlive more than `least`."""
    changes = [0] * (count + 1)
    for index in indices:
        made, gone = spans[index]
        if gone - made > least:
            size = -(-line.log.births[index].size // block) * block
            changes[made] += size
            changes[gone] -= size
    return list(accumulate(changes[:count]))


def _floor(levels: Sequence[int]) -> list[int]:
    """For each iteration, what is never released again: the least of its level and all later ones."""
    return list(accumulate(reversed(levels), min))[::-1]


def _kept(line: Timeline, spans: Spans, indices: Sequence[int], count: int) -> Rise | None:
    """How a line adds one storage after the other, of which those of at least three steps stay."""
    made = {spans[i][0] for i in indices if spans[i][1] == count}
    if sum(iteration >= WARM for iteration in made) < LEAST_TIMES:
        return None
    levels = _levels(line, spans, indices, count, least=TAIL)
    blocks = _levels(line, spans, indices, count, least=TAIL, block=BLOCK)
    late = sum(iteration >= count - TAIL for iteration in made)
    return _rise(levels, blocks, LEAST_TIMES, late)


def _regrown(line: Timeline, spans: Spans, indices: Sequence[int], count: int) -> Rise | None:
    """How a line makes one storage that is ever larger (`x = torch.cat([x, new])`)."""
    levels = _levels(line, spans, indices, count, least=0)
    if levels[-1 - TAIL] <= levels[WARM]:
        return None
    blocks = _levels(line, spans, indices, count, least=0, block=BLOCK)
    rise = _rise(levels, blocks, REGROWN_TIMES, 0)
    return rise if rise is not None and 2 * rise.times > rise.of else None


def _rise(levels: list[int], blocks: list[int], least: int, late: int) -> Rise | None:
    """The stretch in which a level rises to the end, at `least` so many times; None where it does not.

    The first iterations warm up, and what the last ones left may soon be gone: of those, `late` have left
    something that is alive at the end.
    """
    begin, last = WARM - 1, len(levels) - TAIL - 1
    floor = _floor(levels[: last + 1])
    rises = [t for t in range(WARM, last + 1) if floor[t] > floor[t - 1]]
    if not rises or len(rises) + late * (rises[-1] - rises[0] > TAIL * len(rises)) < least:
        return None
    gaps = [after - before for before, after in pairwise(rises)] or [last]
    widest = max(gaps)
    if last - rises[-1] > (2 * widest if widest > 1 else TAIL):
        return None
    if rises[0] - begin > 2 * widest:
        begin = rises[0] - median_low(gaps)
    total = floor[last] - floor[begin]
    # What once was as high and was released again: this rise may be the next of its kind.
    humps = max(level - lasting for level, lasting in zip(levels, floor, strict=False))
    middle = floor[(begin + last) // 2]
    if total < 2 * humps or floor[last] - middle < LATE_SHARE * total:
        return None
    in_blocks = _floor(blocks[: last + 1])
    return Rise(begin + 1, last, len(rises), total, in_blocks[last] - in_blocks[begin])


def _is_matched(rise: Rise, every: Sequence[int]) -> bool:
    """Whether all live bytes rise with a line's; where they do not, it only replaces another line's."""
    floor = _floor(every[: rise.last + 1])
    return 2 * (floor[rise.last] - floor[rise.since - 1]) >= rise.bytes


# --- within a pass ----------------------------------------------------------------------------------


def _gathered(line: Timeline, name: Callable[[str], str]) -> list[Growth]:
    """For each line the fastest growth that one pass saw: nearly all its iterations left something to it."""
    ticks = steps_of(line.log)
    chosen = ticks[0].series if ticks else ""
    steps = [tick.event for tick in ticks] if len(ticks) >= ENOUGH else []
    by_series: dict[str, list[int]] = {}
    for tick in line.log.ticks:
        by_series.setdefault(tick.series, []).append(tick.event)
    best: dict[tuple[str, int], Growth] = {}
    # The steps come first: another series says more of a line only where that grows faster there.
    for series in sorted(by_series, key=lambda series: series != chosen):
        for row in _of_series(line, series, by_series[series], name, None if series == chosen else steps):
            known = best.get((row.file, row.line))
            if known is None or row.bytes_per_step > known.bytes_per_step:
                best[row.file, row.line] = row
    return list(best.values())


def _of_series(
    line: Timeline, series: str, ends: list[int], name: Callable[[str], str], steps: list[int] | None
) -> list[Growth]:
    """One row for each line; `ends` are where the iterations end.

    A pass of the steps themselves (`steps` is None) is an epoch that has ended. A pass of anything else lies
    between two of the `steps`: over several, they show what stays.
    """
    by_site: dict[int, dict[int, Cohorts]] = {}
    of_site: dict[int, list[int]] = defaultdict(list)
    stay: dict[int, int] = {}
    spans = _spans(line, ends, outliving=0)
    for index, (made, gone) in spans.items():
        birth = line.log.births[index]
        of_site[birth.site].append(index)
        if steps is None and gone == len(ends):
            stay[birth.site] = min(made, stay.get(birth.site, made))
        elif gone - made > TAIL:
            by_site.setdefault(birth.site, {}).setdefault(gone, {}).setdefault(made, []).append(birth.size)
    found = []
    for site, by_death in by_site.items():
        for begin, end, (each, blocks, times, of) in _stretches(by_death, stay.get(site, len(ends))):
            if steps and bisect_right(steps, ends[end - 1]) - bisect_right(steps, ends[begin]) > 1:
                continue
            levels = [line.curve[event - 1] for event in ends[begin:end]]
            total = sum(sum(sizes) for sizes in by_death[end].values())
            whole = total + _last_ones(line, spans, of_site[site], begin, end, each)
            if 2 * (max(levels) - levels[0]) >= total - max(map(sum, by_death[end].values())):
                where = place(line.log, site, name)
                found.append(
                    Growth(*where, series, each, blocks, times, of, whole, begin + 1, True, line.device)
                )
                break
    return found


def _last_ones(line: Timeline, spans: Spans, indices: Iterable[int], begin: int, end: int, each: int) -> int:
    """What the last iterations of a stretch had added to a line's bytes before these began to die.

    At most `each` for one of them: the next iteration would have replaced the rest.
    """
    older = [i for i in indices if spans[i][1] == end and begin <= spans[i][0] < end - TAIL]
    dying = min(line.died.get(i, line.end) for i in older)
    known = [i for i in indices if begin <= spans[i][0] <= end and line.born[i] < dying]
    moment = max(line.born[i] for i in known)
    late: Counter[int] = Counter()
    for index in known:
        if spans[index][0] >= end - TAIL and line.died.get(index, line.end) > moment:
            late[spans[index][0]] += line.log.births[index].size
    # What is made after the end of its iteration counts for the next: the first has as much less.
    first = sum(line.log.births[i].size for i in older if spans[i][0] == begin)
    most = {made: max(each - first, 0) if made == end else each for made in late}
    return sum(min(size, most[made]) for made, size in late.items())


Median = tuple[int, int, int, int]
"""(bytes, bytes in blocks, iterations, of) that iterations of a stretch left."""


def _stretches(by_death: Mapping[int, Cohorts], stay: int) -> list[tuple[int, int, Median]]:
    """The stretches of iterations that nearly all left something which their end took away, longest first.

    A stretch ends where what it has gathered dies together (or lives on), or where nothing of the line is
    left, however short it was; the next one begins there. `stay` is the iteration of the first storage that
    never dies.
    """
    found = []
    begin = 0
    ends = sorted(by_death)
    oldest = list(accumulate((min(by_death[end]) for end in reversed(ends)), min, initial=stay))[-2::-1]
    for end, survivor in zip(ends, oldest, strict=True):
        start, row = begin, _median_growth(by_death[end], begin, end)
        if row is None and survivor < (first := min(by_death[end])):
            # What goes on living was there before: this is a pass of its own.
            start, row = first, _median_growth(by_death[end], first, end)
        if row is not None:
            found.append((start, end, row))
        if row is not None or survivor >= end:
            begin = end
    return sorted(found, key=lambda stretch: -stretch[2][3])


def _median_growth(made: Cohorts, begin: int, end: int) -> Median | None:
    """What iterations from `begin` to `end` left; None if few did.

    The first ones warm up, and what the last ones left may soon be gone.
    """
    want = end - begin - WARM - TAIL
    left = [sizes for cohort, sizes in made.items() if begin + WARM <= cohort < end - TAIL]
    if want < FULL or len(left) < SHARE * want:
        return None
    blocks = median_low(sum(-(-size // BLOCK) * BLOCK for size in sizes) for sizes in left)
    return median_low(map(sum, left)), blocks, len(left), want
