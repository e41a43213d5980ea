"""A replay for the terminal: verdicts by measured bytes, the peak by kind and phase, the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TextIO

from memlint.report.allocator_text import allocator, blocks, exhausted, how, top
from memlint.report.growth_words import about_leak, counts, grown, leak_in_words
from memlint.report.layout import clean, pack, width_of, wrap
from memlint.report.style import Line, paint
from memlint.report.summary import RenderOptions
from memlint.session import (
    STATUSES,
    Arm,
    Exhausted,
    Failure,
    Growth,
    Held,
    Judged,
    Rank,
    Session,
    Verdict,
    growth_by_unit,
    is_measured,
    stop_in_words,
)
from memlint.units import change, plural, size

BARS = "▁▂▃▄▅▆▇█"
ROWS = 8
MESSAGE = 200
"""Characters of an exception's message that the heading shows."""

STEP_PHASES = ("forward", "backward", "optimizer")
STATUS_STYLES = {"confirmed": "error", "host_only": "warning", "refuted": "fixable"}
SIMULATED_RUN = "simulated: all bytes are predicted, nothing ran on a GPU and no value was computed"
STATUS_WORDS = {
    "confirmed": "confirmed",
    "refuted": "refuted",
    "host_only": "host only",
    "not_reached": "not reached",
    "inconclusive": "inconclusive",
    "not_measurable": "not measurable",
}


def render(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the report."""
    flowing = partial(_flowing, width=options.width)
    parts = [
        flowing(_heading(session)),
        flowing(_leaks(session)),
        _verdicts(session, options.width),
        flowing(_arms(session)),
        flowing(_ranks(session.original)),
        flowing(exhausted(session.original, size, partial(_alive_then, session, options))),
        flowing(_peak(session.original, options.width)),
        _lines(session, options.code_width),
        flowing(allocator(session.original, size)),
        flowing(blocks(session.original, size)),
        flowing(_steps(session.original, options.width)),
        _simulation(session, options.width),
        _remarks(session, options.width),
    ]
    lines: list[Line] = []
    for part in filter(None, parts):
        lines += [*([[]] if lines else []), *part]
    paint(lines, out, color=options.color)


def _flowing(lines: Iterable[Line], width: int) -> list[Line]:
    """The lines, those that are too long gone on with below where their last part begins."""
    found: list[Line] = []
    for line in lines:
        lead, (text, style) = line[:-1], line[-1] if line else ("", "")
        blank = " " * (width_of("".join(part for part, _ in lead)) + len(text) - len(text.lstrip()))
        if width_of(text.lstrip()) <= width - len(blank):
            found.append(line)
            continue
        first, *rest = wrap(text, width - len(blank) - (0 if lead else 2))
        found.append([*lead, (first if lead else blank + first, style)])
        found += [[(blank + ("" if lead else "  ") + piece, style)] for piece in rest]
    return found


def _heading(session: Session) -> list[Line]:
    first = session.original
    command = " ".join((session.script, *session.arguments))
    machine = session.environment.device_name
    device = first.device if machine == first.device else f"{machine} ({first.device})"
    there = f"{device}, torch {session.environment.torch}"
    lines: list[Line] = [
        [("replay of ", "head"), (clean(command), "head")],
        [(f"{plural(len(first.steps), 'step')} on {there}; {ending(first)}", "dim")],
    ]
    if first.simulation is not None:
        lines.append([(SIMULATED_RUN, "warning")])
    if first.failure is not None:
        failure = first.failure
        word = "out of memory" if failure.out_of_memory else "the script failed"
        place = f" at {failure.file}:{failure.line}" if failure.line else ""
        lines.append([(f"{word}{clean(place)}: {failure.type}: {headline(failure)}", "error")])
    return lines


def headline(failure: Failure) -> str:
    """The first line of an exception's message."""
    first, _, more = failure.message.strip().partition("\n")
    cut = clean(first)[:MESSAGE]
    return f"{cut} ..." if more or len(cut) < len(clean(first)) else cut


def ending(run: Arm | Rank) -> str:
    """How a run came to its end, as a clause."""
    return "the script ran to its end" if run.stopped == "the script ended" else stop_in_words(run.stopped)


def by_bytes(session: Session) -> list[Judged]:
    """Findings as the report lists them: the greatest measured effect first."""
    return sorted(
        session.findings,
        key=lambda judged: (-effect(judged.verdict), judged.finding["path"], judged.finding["line"]),
    )


def effect(verdict: Verdict) -> int:
    """Bytes by which a verdict is ranked: the peak or what a hundred steps would bring, whichever is more."""
    return max(verdict.measured_bytes or 0, 100 * (verdict.bytes_per_step or 0))


def _verdicts(session: Session, width: int) -> list[Line]:
    if not session.findings:
        return [[("no findings to judge in the script and what it imported from its project", "fixable")]]
    suffix = "  (simulated)" if session.original.simulation is not None else ""
    lines: list[Line] = [[(text, "head")] for text in wrap(tally(session), width) if text]
    for judged in by_bytes(session):
        finding, verdict = judged.finding, judged.verdict
        place = clean(f"{finding['path']}:{finding['line']}") + suffix
        style = STATUS_STYLES.get(verdict.status, "advice")
        lines.append(
            [
                (f"{STATUS_WORDS[verdict.status]:<15}", style),
                (f"{measured(verdict):<20}", "head"),
                (f"{finding['code']} {place}", ""),
            ]
        )
        lines += [[(f"    {text}", "")] for text in wrap(finding["message"], width - 4)]
        lines += [[(f"    {text}", "dim")] for text in wrap(verdict.reason, width - 4)]
    return lines


def _leaks(session: Session) -> list[Line]:
    """What grows and is no finding's alone: how fast, made where, held by what."""
    lines: list[Line] = []
    for leak in session.leaks:
        style = "advice" if leak.bound else "error"
        word = "grows, within bounds" if leak.bound else "leak"
        lines.append([(f"{word}: ", style), (clean(leak_in_words(session, leak)), "head")])
        lines += [[("    ", ""), (clean(text), "dim")] for text in about_leak(session, leak)]
    return lines


def tally(session: Session) -> str:
    """How many findings have which verdict; "" for a single one."""
    counts = Counter(judged.verdict.status for judged in session.findings)
    if counts.total() < 2:
        return ""
    verdicts = ", ".join(f"{counts[status]} {STATUS_WORDS[status]}" for status in STATUSES if counts[status])
    return f"{counts.total()} findings: {verdicts}"


def measured(verdict: Verdict) -> str:
    """The measured effect in a few characters."""
    if verdict.bytes_per_step:
        return f"{size(verdict.bytes_per_step)}/step"
    if verdict.measured_bytes:
        share = f" ({100 * verdict.share_of_peak:.1f} %)" if verdict.share_of_peak is not None else ""
        return f"{size(verdict.measured_bytes)}{share}"
    return "-"


def _arms(session: Session) -> list[Line]:
    combined = [arm for arm in session.arms if arm.name in ("safe", "all")]
    before = session.original.top_bytes
    lines: list[Line] = []
    for arm in combined:
        change = arm.top_bytes - before
        less = f"{size(abs(change))} {'less' if change < 0 else 'more'}" if change else "no change"
        if change and session.spread:
            less += f"; without fixes, two runs differ by {size(session.spread)}"
        lines.append([(f"with {arm.title}: {how(arm)}peak {top(arm, size)} ({less})", "head")])
    return lines


def _ranks(arm: Arm) -> list[Line]:
    highest = arm.highest
    if highest is None:
        return []
    head = f"{plural(len(arm.ranks), 'rank')}, the highest peak is that of rank {highest.rank}"
    lines: list[Line] = [[(head, "head")]]
    cells = [_rank(row) for row in arm.ranks]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, texts in zip(arm.ranks, cells, strict=True):
        padded = (f"{text:<{width}}" for text, width in zip(texts, widths, strict=True))
        style = "error" if row.failure else ""
        lines.append([(f"  {'  '.join(padded)}  ", style), (clean(ended(row)), style)])
    lines.append([(f"  below, all figures are those of rank {arm.rank}", "dim")])
    return lines


def _rank(row: Rank) -> tuple[str, ...]:
    said = f"{size(row.peak.bytes)} in {row.peak.phase}" if is_measured(row.device) else "not measured"
    grown = grows(row.growth) or "no growth"
    return f"rank {row.rank}", f"peak {said}", grown, plural(len(row.steps), "step")


def grows(rows: Iterable[Growth]) -> str:
    """What all lines together leave behind with every step, or else with every forward; "" for nothing."""
    lasting = growth_by_unit(row for row in rows if not row.within)
    return next((f"{size(total)}/{unit.rpartition(' ')[2]}" for unit, (total, _) in lasting.items()), "")


def ended(row: Rank) -> str:
    """How a rank's run ended."""
    if row.failure is None:
        return ending(row)
    return f"failed: {row.failure.in_short}"


def _peak(arm: Arm, width: int) -> list[Line]:
    if not is_measured(arm.device):
        return [[(f"peak: not measured on {arm.device}", "head")]]
    if not arm.peak.bytes:
        return []
    of = " of tensors" if arm.cuda else ""
    head = f"{how(arm)}peak{of} {size(arm.peak.bytes)} in {when(arm)}"
    lines: list[Line] = [[(head, "head")]]
    lines += _table("by kind", arm.kinds, arm.peak.bytes, width)
    lines += _table("by phase", arm.phases, arm.peak.bytes, width)
    if arm.outside and not arm.cuda:
        lines.append([(f"  {outside(arm)}", "dim")])
    return lines


def when(run: Arm | Rank) -> str:
    """The phase and the step of a peak, and where tensors were followed no more."""
    phase, step = run.peak.phase, run.peak.step
    name = "other code" if phase == "other" else phase
    if isinstance(run, Arm) and run.cut_short:
        return f"{name}{f', step {step}' if step else ''}; tensors were followed up to {run.cut_short} only"
    if not step:
        return name
    if step <= len(run.steps):
        return f"{name}, step {step}"
    if run.failure is not None and phase in STEP_PHASES:
        return f"{name}, step {step}, which it did not finish"
    return f"{name}, after the last step"


def outside(arm: Arm) -> str:
    """By how much the CPU allocator's own peak differs from the tensors', and why."""
    counted = arm.outside or 0
    if counted < 0:
        return (
            f"{size(-counted)} of it did not come from torch's allocator: NumPy's or other processes' memory"
        )
    what = "buffers inside kernels" + (" and gradient buckets of DDP" if arm.ranks else "")
    return f"torch's allocator counts {size(counted)} more at its peak: {what}"


def _table(title: str, parts: Mapping[str, int], whole: int, width: int) -> list[Line]:
    items = [f"{name} {size(count)} ({100 * count / whole:.0f} %)" for name, count in parts.items() if count]
    heads = [title, *[""] * len(items)]
    return [
        [(f"  {head:<9}", "dim"), (row, "")]
        for head, row in zip(heads, pack(items, width - 11), strict=False)
    ]


def _lines(session: Session, width: int) -> list[Line]:
    if not session.original.lines:
        return []
    return [[("who holds it at the peak", "head")], *_held(session, width, session.original.lines)]


def _alive_then(session: Session, options: RenderOptions, then: Exhausted) -> list[Line]:
    by_kind = _table("by kind", then.kinds, then.bytes, options.width)
    return [*by_kind, *_held(session, options.code_width, then.lines)]


def _held(session: Session, width: int, found: tuple[Held, ...]) -> list[Line]:
    rows = merged(found)
    lines: list[Line] = []
    for held in rows[:ROWS]:
        line = f"{held.file}:{held.line}" if held.line else "(no line of the project)"
        if held.forward_line:
            line = f"{held.forward_file}:{held.forward_line} (made by backward)"
        line += inside(held)
        code = source(session, held.forward_file or held.file, held.forward_line or held.line)
        text = f"  {size(held.bytes):>10}  {held.kind:<15}  {clean(line)}  {clean(code)}"
        lines.append([(text if width_of(text) <= width else text[: width - 3] + "...", "")])
    if len(rows) > ROWS:
        rest = sum(held.bytes for held in rows[ROWS:])
        lines.append([(f"  {size(rest):>10}  on {plural(len(rows) - ROWS, 'more line')}", "dim")])
    return lines


def inside(row: Held | Exhausted) -> str:
    """Where in a library a line has led to: " > layer3.0.conv2 (timm/models/resnet.py:241)"; "" for none."""
    if not row.library:
        return ""
    return f" > {row.module} ({row.library})" if row.module else f" > {row.library}"


def merged(lines: Iterable[Held]) -> list[Held]:
    """The rows of a peak with phases added up, the most first."""
    sums: dict[tuple[str, int, str, int, str, str, str], Held] = {}
    for row in lines:
        key = (row.file, row.line, row.forward_file, row.forward_line, row.kind, row.module, row.library)
        known = sums.get(key)
        total = (known.bytes if known else 0) + row.bytes
        count = (known.tensors if known else 0) + row.tensors
        sums[key] = Held(*key[:5], row.phase, total, count, row.module, row.library)
    return sorted(sums.values(), key=lambda row: -row.bytes)


def source(session: Session, file: str, line: int) -> str:
    """The source line, stripped; "" where the session does not hold it."""
    return session.sources.get(file, {}).get(str(line), "").strip()


def _steps(arm: Arm, width: int) -> list[Line]:
    values = [step.bytes for step in arm.steps]
    if len(values) < 2 or not is_measured(arm.device):
        return []
    lines: list[Line] = [
        [("bytes alive after each step  ", "head"), (sparkline(values, width - 30), "gutter")]
    ]
    lines.append([(f"  from {change(values[0], values[-1])}", "dim")])
    reserved = [step.reserved for step in arm.steps]
    if any(reserved):
        bars = sparkline(reserved, width - 30)
        lines.append([("reserved after each step     ", "head"), (bars, "gutter")])
        lines.append([(f"  from {change(reserved[0], reserved[-1])}", "dim")])
    shown = [row for row in (*arm.growth, *arm.host_growth) if counts(row, arm)]
    return lines + [[("  " + clean(grown(row, arm)), "warning")] for row in shown[:ROWS]]


def sparkline(values: list[int], width: int) -> str:
    """The values as bars between the least and the greatest; of too many, the greatest of each group."""
    group = -(-len(values) // max(width, 1))
    shown = [max(values[i : i + group]) for i in range(0, len(values), group)]
    low, high = min(shown), max(shown)
    if low == high:
        return BARS[0] * len(shown)
    return "".join(BARS[(value - low) * (len(BARS) - 1) // (high - low)] for value in shown)


def _simulation(session: Session, width: int) -> list[Line]:
    simulation = session.original.simulation
    if simulation is None:
        return []
    lines: list[Line] = [[("how far the simulation goes", "head")]]
    for label, terms in (("modelled", simulation.modelled), ("unknown", simulation.unknown)):
        for term in terms:
            first, *rest = wrap(term, width - 13)
            lines.append([(f"  {label:<9}", "dim"), (f"  {clean(first)}", "")])
            lines += [[(f"{'':<13}{clean(text)}", "")] for text in rest]
    rows = simulation.invented
    total = plural(sum(row.times for row in rows), "invented value")
    where = ", where the script asked for what was never computed:" if rows else ""
    lines.append([(f"  {total}{where}", "warning" if rows else "dim")])
    for row in rows[:ROWS]:
        place = f"{row.file}:{row.line}" if row.line else "a line of a library"
        lines.append([(f"  {row.times:>7} ×  {clean(place)}  {clean(row.what)}", "")])
    if len(rows) > ROWS:
        others = sum(row.times for row in rows[ROWS:])
        lines.append([(f"  {others:>7} ×  on {plural(len(rows) - ROWS, 'more line')}", "dim")])
    return lines


def _remarks(session: Session, width: int) -> list[Line]:
    first = session.original
    remarks = [("error", error) for error in session.errors]
    lost = dict.fromkeys(text for arm in session.arms for text in arm.lost)
    remarks += [("warning", text) for text in lost]
    remarks += [("dim", f"refused: {what}") for what in first.refused]
    remarks += [("dim", note) for note in dict.fromkeys((*session.notes, *first.notes))]
    if first.written:
        remarks.append(
            ("dim", f"kept out of the way: {plural(len(first.written), 'file')} that the script wrote")
        )
    lines: list[Line] = []
    for style, remark in remarks:
        lines += [[(text, style)] for text in wrap(f"note: {remark}" if style == "dim" else remark, width)]
    return lines
