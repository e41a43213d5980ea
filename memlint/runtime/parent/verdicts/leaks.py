"""What grows from step to step, as verdicts of their own: which lines, held by what, due to which finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memlint.finding import Finding
from memlint.runtime.parent.verdicts.attribution import is_about
from memlint.runtime.parent.verdicts.mentions import NOTHING, Mentions
from memlint.runtime.parent.verdicts.overlap import lines_of
from memlint.runtime.parent.verdicts.thresholds import DEFAULT, Thresholds
from memlint.session import NODES, Arm, Growth, Holder, Leak, Verdict, holding


def leaks_of(arm: Arm, holders: Iterable[Holder], limits: Thresholds = DEFAULT) -> tuple[Leak, ...]:
    """What grows in a run, one leak for all lines whose bytes end in the same objects; the most first.

    What grows by less than a block of CUDA's allocator per step is none. Autograd nodes that pile up in other
    objects come last.
    """
    every = tuple(holders)
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[Growth]] = {}
    for row in _lasting(arm):
        names = tuple((holder.name, holder.scope) for holder in holding(row, every))
        groups.setdefault((row.device, names), []).append(row)
    found = [
        _leak(rows, holding(rows[0], every))
        for rows in groups.values()
        if sum(map(_weight, rows)) >= limits.growth_per_step
    ]
    known = {holder.name for leak in found for holder in leak.holders}
    return (
        *sorted(found, key=lambda leak: (-leak.bytes_per_step, leak.file, leak.line)),
        *(leak for leak in _piles(arm, every, limits) if known.isdisjoint(h.name for h in leak.holders)),
    )


def _piles(arm: Arm, holders: Sequence[Holder], limits: Thresholds) -> Iterable[Leak]:
    for pile in arm.piles:
        if not pile.within and pile.nodes_per_step >= limits.nodes_per_step:
            held = tuple(holding(pile, holders))
            bounds = [holder.bound for holder in held]
            yield Leak(
                pile.file, pile.line, NODES, pile.series, 0, 0, pile.steps, pile.of, 0, (), held,
                bounds[0] if bounds and all(bounds) else "", nodes_per_step=pile.nodes_per_step,
            )  # fmt: skip


def is_known(leak: Leak, replies: Iterable[Reply]) -> bool:
    """Whether a pile of nodes is what a finding already says of host memory."""
    found = [reply for reply in replies if reply.verdict.status in ("confirmed", "host_only")]
    return leak.device == NODES and any(_is_at(reply, leak) for reply in found)


def _lasting(arm: Arm) -> list[Growth]:
    return [row for row in (*arm.growth, *arm.host_growth) if not row.within]


def _weight(row: Growth) -> int:
    """Bytes per step as they count: in whole blocks where CUDA's allocator hands them out."""
    return row.bytes_per_step if row.device == "cpu" else row.block_bytes_per_step


def _leak(rows: Sequence[Growth], holders: Iterable[Holder]) -> Leak:
    held = tuple(holders)
    bounds = [holder.bound for holder in held]
    first = rows[0]
    return Leak(
        first.file,
        first.line,
        first.device,
        first.series,
        sum(row.bytes_per_step for row in rows),
        sum(row.bytes for row in rows),
        first.steps,
        first.of,
        first.since,
        tuple(rows),
        held,
        bounds[0] if bounds and all(bounds) else "",
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """A finding with its verdict, the run with its fix (None: there was none), and what it speaks of."""

    finding: Finding
    verdict: Verdict
    fixed: Arm | None = None
    mentions: Mentions = NOTHING


def explain(leak: Leak, original: Arm, replies: Iterable[Reply]) -> Leak:
    """The leak with the confirmed findings that are about it.

    A finding is where one of its lines makes or holds the bytes, or where its fix takes half of them away.
    """
    found = [
        reply.finding.fingerprint
        for reply in replies
        if reply.verdict.status == "confirmed"
        and (_is_at(reply, leak) or _removes(reply.fixed, original, leak))
    ]
    return replace(leak, findings=tuple(found))


def _is_at(reply: Reply, leak: Leak) -> bool:
    claim = reply.finding.claim
    grows = claim is not None and claim.type.startswith("GROWTH")
    return grows and is_about(leak, lines_of(reply.finding), reply.mentions)


def _removes(fixed: Arm | None, original: Arm, leak: Leak) -> bool:
    if fixed is None or fixed.failure is not None or fixed.name == original.name:
        return False
    if len(fixed.steps) < len(original.steps):
        return False
    # A fix may move lines: what counts is how much still grows, and whether as much does in one place.
    before = [row.bytes_per_step for row in _lasting(original) if row.device == leak.device]
    after = [row.bytes_per_step for row in _lasting(fixed) if row.device == leak.device]
    remains = bool(leak.rows) and all(row.bytes_per_step in after for row in leak.rows)
    return not remains and 2 * (sum(before) - sum(after)) >= leak.bytes_per_step
