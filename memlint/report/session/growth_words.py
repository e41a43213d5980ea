"""What grows, in words: for the terminal and the page."""

from __future__ import annotations

from memlint.session import ARRAYS, STEP, Arm, Growth, Holder, Leak, Session
from memlint.units import plural, size


def counts(row: Growth, arm: Arm) -> bool:
    """Whether a growth is worth a line: what a pass gathers is so from a hundredth of the peak on."""
    return not row.within or 100 * row.bytes >= arm.peak.bytes


def grown(row: Growth, arm: Arm) -> str:
    """What a line leaves behind, and in how many of the steps; or what it gathers within one pass."""
    place = f"{row.file}:{row.line}" if row.line else "a line of a library"
    unit = unit_of(row.series)
    if row.device == ARRAYS:
        added = f"{place} adds" if row.line else "containers get"
        return f"{added} {size(row.bytes_per_step)} of {ARRAYS} per {unit}, in host memory"
    if row.within:
        each, whole = size(row.bytes_per_step), size(row.bytes)
        return f"{place} gathers {each} with every {unit} of one pass, {whole} in all"
    where = " in host memory" if row in arm.host_growth else ""
    if row.replaced:
        seen = f"in {row.steps} of {row.of} {unit}s"
        more = size(row.bytes_per_step)
        return f"{place} keeps {more} more{where} after each {unit}, in place of what it kept before ({seen})"
    if row.steps == row.of or not row.bytes:
        seen = f"in {row.steps} of {row.of}"
        return f"{place} leaves {size(row.bytes_per_step)} behind{where} with every {row.series} ({seen})"
    return f"{place} left {size(row.bytes)} behind{where} in {row.steps} of {row.of} {unit}s"


def unit_of(series: str) -> str:
    """What a series counts, as a noun: step, forward, backward."""
    unit = series.partition(" at ")[0]
    return "step" if unit in (STEP, "") else unit


def is_leak(leak: Leak) -> bool:
    """Whether tensors pile up without an end: one that is ever larger may be a batch that is."""
    return not leak.bound and not _replaced(leak)


def _replaced(leak: Leak) -> bool:
    return bool(leak.rows) and all(row.replaced for row in leak.rows)


def is_seldom(leak: Leak) -> bool:
    """Whether most steps leave nothing behind: it is made once for each epoch, trial or picture."""
    return 0 < 2 * leak.steps < leak.of and not leak.nodes_per_step and leak.device != ARRAYS


def leak_in_words(session: Session, leak: Leak) -> str:
    """The bytes of a leak per step, or each time where that is seldom, and where they are made."""
    unit = unit_of(leak.series)
    if leak.nodes_per_step:
        made = f", made at {leak.file}:{leak.line}" if leak.line else ""
        return f"{plural(leak.nodes_per_step, 'autograd node')} per {unit}, in host memory{made}"
    if leak.device == ARRAYS:
        added = f", added at {leak.file}:{leak.line}" if leak.line else ""
        return f"{size(leak.bytes_per_step)} of {ARRAYS} per {unit}, in host memory{added}"
    kind = "of host memory " if leak.device == "cpu" and session.original.device != "cpu" else ""
    place = f"{leak.file}:{leak.line}" if leak.line else "a line of a library"
    more = f" and {plural(len(leak.rows) - 1, 'more line')}" if len(leak.rows) > 1 else ""
    if is_seldom(leak):
        return f"{size(leak.bytes // leak.steps)} {kind}at a time, made at {place}{more}"
    return f"{size(leak.bytes_per_step)} {kind}per {unit}, made at {place}{more}"


def about_leak(session: Session, leak: Leak) -> list[str]:
    """How the bytes were seen to grow, what holds them, and which finding is about them."""
    unit = unit_of(leak.series)
    since = f" from {unit} {leak.since} on" if leak.steps == leak.of and leak.since > 3 else ""
    how = "more than at first, in" if _replaced(leak) else "left behind in"
    what = "nodes" if leak.nodes_per_step else size(leak.bytes)
    texts = [f"{what} {how} {leak.steps} of the {leak.of} {unit}s seen{since}"]
    if leak.device == ARRAYS:
        texts = [f"{what} more after {plural(leak.of, f'further {unit}')}: more at {leak.steps} looks"]
    texts += [f"held by {holder_in_words(holder)}" for holder in leak.holders]
    if leak.bound:
        texts.append(f"bounded: {leak.bound}")
    told = (row for each in session.findings for row in (each.finding, *each.finding.get("secondary", ())))
    findings = {row["fingerprint"]: row for row in told}
    about = [findings[key] for key in leak.findings if key in findings]
    if about:
        names = ", ".join(f"{row['code']} at {row['path']}:{row['line']}" for row in about)
        texts.append(f"see {names} below")
    elif is_leak(leak):
        texts.append("no rule of memlint knows this leak")
    return texts


def host_growth(session: Session) -> list[str]:
    """The host memory that confirmed findings keep from step to step, which no count of tensors shows."""
    found = []
    for row in session.findings:
        finding, verdict = row.finding, row.verdict
        host = (finding.get("claim") or {}).get("type") == "GROWTH-HOST" and verdict.status == "confirmed"
        if verdict.bytes_per_step and (host or verdict.status == "host_only"):
            where = f"{finding['code']} at {finding['path']}:{finding['line']}"
            found.append(f"grows: {size(verdict.bytes_per_step)} of host memory per step ({where})")
    return found


def holder_in_words(holder: Holder) -> str:
    """An object by its name, what it is and whose variable it is."""
    name = f"`{holder.name}`, a " if holder.name else "an object without a name, a "
    scope = f" ({holder.scope})" if holder.scope else ""
    return f"{name}{holder.what}{scope}"
