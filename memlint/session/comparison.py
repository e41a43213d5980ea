"""Two sessions held against each other: what the peak, a line, a module, a kind of tensor costs more or less.

Bytes are integers. Lines are known again by their text, so that a line that has only moved is the same line;
sessions written with `--no-source` hold no text, and there the numbers decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from memlint.session.run import Arm
from memlint.session.verdicts import Judged, Session

Place = tuple[str, int]
"""A file as its session names it, and a line; 0 where no line of the project was on the stack."""

Sides = tuple[Session, Session]


@dataclass(frozen=True, slots=True)
class Row:
    """Bytes (of `Comparison.nodes`: autograd nodes) of one thing in both sessions.

    `was` is its name in the old one where that is another, `source` the text of a line.
    """

    name: str
    before: int
    after: int
    was: str = ""
    source: str = ""

    @property
    def more(self) -> int:
        """Bytes by which the new session has more; negative where it has less."""
        return self.after - self.before

    def exceeds(self, share: float, least: int) -> bool:
        """Whether it is more by over `share` of what it was, and by over `least` bytes."""
        return self.more > least and self.more > share * self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two sessions differ in; rows that are equal are left out, the largest difference comes first.

    `peak` and `reserved` are of the device (`reserved` None where an allocator was not asked), `growth` bytes
    that stay per step, by line, and `nodes` autograd nodes that do. `appeared` and `gone` are findings,
    `spread` the bytes by which equal runs of either session have differed. `doubts` say why the two may
    not be comparable.
    """

    old: Session
    new: Session
    peak: Row
    reserved: Row | None
    kinds: tuple[Row, ...]
    lines: tuple[Row, ...]
    modules: tuple[Row, ...]
    growth: tuple[Row, ...]
    nodes: tuple[Row, ...]
    appeared: tuple[Judged, ...]
    gone: tuple[Judged, ...]
    spread: int
    doubts: tuple[str, ...]

    def over(self, share: float) -> list[Row]:
        """The figures that are over a limit: the peak, what is reserved, growth per step.

        Args:
            share: what the limit allows, as a part of the old figure; 0.05 are 5 %. What two equal runs
                differ in is allowed on top. Any growth where there was none is over it.
        """
        peaks = [row for row in (self.peak, self.reserved) if row and row.exceeds(share, self.spread)]
        return [*peaks, *(row for row in (*self.growth, *self.nodes) if row.exceeds(share, 0))]


def compare(old: Session, new: Session) -> Comparison:
    """Hold the script as it is in `new` against that in `old`."""
    first, second = old.original, new.original
    moved = _moved(old, new)
    known = [{_fingerprint(judged) for judged in side.findings} for side in (old, new)]
    return Comparison(
        old,
        new,
        Row("peak", first.top_bytes, second.top_bytes),
        _reserved(first, second),
        _rows(first.kinds, second.kinds),
        _by_line(_held(first), _held(second), moved, (old, new)),
        _rows(_modules(first), _modules(second)),
        _by_line(_grown(first), _grown(second), moved, (old, new)),
        _by_line(_nodes(first), _nodes(second), moved, (old, new)),
        tuple(judged for judged in new.findings if _fingerprint(judged) not in known[0]),
        tuple(judged for judged in old.findings if _fingerprint(judged) not in known[1]),
        max(old.spread, new.spread),
        tuple(_doubts(old, new)),
    )


def _fingerprint(judged: Judged) -> str:
    """What a finding is known by, also in a file that was renamed."""
    finding = judged.finding
    return str(finding.get("content_fingerprint") or finding.get("fingerprint", ""))


def _reserved(first: Arm, second: Arm) -> Row | None:
    key = "reserved_peak"
    if key in first.cuda and key in second.cuda:
        return Row("reserved", first.cuda[key], second.cuda[key])
    return None


def _rows(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[Row, ...]:
    return _largest(Row(name, before.get(name, 0), after.get(name, 0)) for name in {**before, **after})


def _largest(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(sorted((row for row in rows if row.more), key=lambda row: (-abs(row.more), row.name)))


def _held(arm: Arm) -> Counter[Place]:
    found: Counter[Place] = Counter()
    for held in arm.lines:
        found[held.made_by] += held.bytes
    return found


def _grown(arm: Arm) -> Counter[Place]:
    found: Counter[Place] = Counter()
    for row in (*arm.growth, *arm.host_growth):
        if not row.within:
            found[row.file, row.line] += row.bytes_per_step
    return found


def _nodes(arm: Arm) -> dict[Place, int]:
    return {(pile.file, pile.line): pile.nodes_per_step for pile in arm.piles if not pile.within}


def _modules(arm: Arm) -> dict[str, int]:
    """Bytes of each module's own, without those of the modules below it."""
    return {row.path or row.kind: row.own for row in arm.tree if row.kind}


def _by_line(
    before: Mapping[Place, int], after: Mapping[Place, int], moved: Mapping[Place, Place | None], sides: Sides
) -> tuple[Row, ...]:
    """Rows of lines, under their name in the new session where they are still there."""
    old, new = sides
    left = dict(after)
    rows = []
    for place, count in before.items():
        if now := moved.get(place, place):
            was = "" if now == place else _name(place)
            rows.append(Row(_name(now), count, left.pop(now, 0), was, _source(new, now)))
        else:
            rows.append(Row(_name(place), count, 0, _name(place), _source(old, place)))
    rows += [Row(_name(place), 0, count, source=_source(new, place)) for place, count in left.items()]
    return _largest(rows)


def _source(session: Session, place: Place) -> str:
    return session.sources.get(place[0], {}).get(str(place[1]), "").strip()


def _name(place: Place) -> str:
    return f"{place[0]}:{place[1]}" if place[1] else "(no line of the project)"


def _moved(old: Session, new: Session) -> dict[Place, Place | None]:
    """Where each line of the old session is in the new one: None where its text is gone."""
    found: dict[Place, Place | None] = {}
    for file, lines in old.sources.items():
        name = new.script if file == old.script else file
        if name in new.sources:
            pairs = dict(_pairs(lines, new.sources[name]))
            for line in map(int, lines):
                found[file, line] = (name, pairs[line]) if line in pairs else None
    return found


def _pairs(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[int, int]]:
    """Lines with the same text in the same order, and lines between these that changed where they stood."""
    sides = (before, after)
    first, second = (sorted((int(line), text.strip()) for line, text in side.items()) for side in sides)
    matcher = SequenceMatcher(None, [text for _, text in first], [text for _, text in second], autojunk=False)
    found = []
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal" or (what == "replace" and b - a == d - c):
            found += [(first[a + at][0], second[c + at][0]) for at in range(b - a)]
    return found


def _doubts(old: Session, new: Session) -> Iterable[str]:
    first, second = old.original, new.original
    for what, before, after in (
        ("device", first.device, second.device),
        ("simulated GPU", _gpu(first), _gpu(second)),
        ("torch", old.environment.torch, new.environment.torch),
        ("arguments", " ".join(old.arguments), " ".join(new.arguments)),
        ("ranks", str(len(first.ranks)), str(len(second.ranks))),
    ):
        if before != after:
            yield f"{what}: {before or 'none'} before, {after or 'none'} now"
    for which, arm in (("old", first), ("new", second)):
        if arm.failure is not None:
            yield f"the {which} run failed: {arm.failure.in_short}"
        elif not arm.trained:
            yield f"no optimizer step ran in the {which} run, so its peak is not that of a training"
        elif arm.was_cut:
            yield f"the {which} run was ended early: {arm.stopped}"


def _gpu(arm: Arm) -> str:
    return arm.simulation.gpu if arm.simulation else ""
