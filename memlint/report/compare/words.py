"""A comparison in sentences, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from memlint.session import Judged
from memlint.session.comparison import Comparison, Row
from memlint.units import change, plural, size


def headline(found: Comparison) -> str:
    """The first line: how the peak has changed."""
    script, peak = found.new.script, found.peak
    device = found.new.original.device
    if not peak.more:
        return f"{script}: peak {size(peak.after)} on {device}, as before"
    what = "more" if peak.more > 0 else "less"
    return (
        f"{script}: peak {change(peak.before, peak.after)} on {device}, "
        f"{size(abs(peak.more))} {what} ({share(peak)})"
    )


def share(row: Row) -> str:
    """By how much it has changed, as a part of what it was."""
    if not row.before:
        return "new"
    if not row.after:
        return "gone"
    part = 100 * row.more / row.before
    return f"{part:+.1f} %" if abs(part) >= 0.05 else f"{row.more:+,} B"


def sentences(found: Comparison) -> Iterable[str]:
    """What else is to be said before the tables."""
    if found.reserved and found.reserved.more:
        row = found.reserved
        yield f"reserved by the allocator: {change(row.before, row.after)} ({share(row)})"
    if found.peak.more and abs(found.peak.more) <= found.spread:
        yield f"equal runs differed by {size(found.spread)}, so this says nothing"
    yield from (f"not the same conditions: {doubt}" for doubt in found.doubts)


def about_changes(found: Comparison) -> Iterable[str]:
    """One sentence for each line that keeps autograd nodes, and each finding that has come or gone."""
    for row in found.nodes:
        yield f"autograd nodes that stay with every step, by {row.name}: {row.before} before, {row.after} now"
    yield from (f"new finding: {_finding(judged)}" for judged in found.appeared)
    yield from (f"gone: {_finding(judged)}" for judged in found.gone)


def _finding(judged: Judged) -> str:
    finding, verdict = judged.finding, judged.verdict
    cost = f", {size(verdict.measured_bytes)}" if verdict.measured_bytes else ""
    cost += f", {size(verdict.bytes_per_step)} per step" if verdict.bytes_per_step else ""
    status = verdict.status.replace("_", " ")
    return f"{finding['path']}:{finding['line']} {finding['code']} {finding['name']} ({status}{cost})"


def about_limit(over: list[Row], share_allowed: float) -> str:
    """The last line where a limit was given."""
    limit = f"{100 * share_allowed:g} %"
    if not over:
        return f"within the limit of {limit}"
    growth = [row for row in over if row.name not in ("peak", "reserved")]
    said = [f"{row.name} {share(row)}" for row in over if row not in growth]
    if growth:
        said.append(f"growth per step at {plural(len(growth), 'line')}")
    return f"over the limit of {limit}: {', '.join(said)}"
