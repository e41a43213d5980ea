"""The words of a replay's report, and its parts below the first screen: kinds, phases, steps, ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from memlint.report.layout import clean, pack, short_path, width_of, wrap
from memlint.report.session.allocator_text import allocator, blocks, exhausted, how
from memlint.report.session.growth_words import counts, grown, unit_of
from memlint.report.style import Line
from memlint.report.summary import RenderOptions
from memlint.session import (
    ENDED,
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
FIRST = 5

# Columns of the path of a line, where the row is too long for the terminal.
PATH = 28
"""Lines that hold the peak which the first screen shows."""

MESSAGE = 200
"""Characters of an exception's message that the heading shows."""

STEP_PHASES = ("forward", "backward", "optimizer")
STATUS_STYLES = {"confirmed": "error", "host_only": "warning", "refuted": "fixable"}
STATUS_WORDS = {
    "confirmed": "confirmed",
    "refuted": "refuted",
    "host_only": "host RAM only",
    "not_reached": "not reached",
    "inconclusive": "inconclusive",
    "not_measurable": "not measurable",
}


def details(session: Session, options: RenderOptions) -> list[list[Line]]:
    """The parts of a report below its first screen."""
    first = session.original
    flowing = partial(flowing_lines, width=options.width)
    return [
        flowing(_ranks(first)),
        flowing(exhausted(first, size, partial(_alive_then, session, options))),
        flowing(_peak(first, options.width)),
        _more_lines(session, options.width),
        flowing(allocator(first, size)),
        flowing(blocks(first, size)),
        flowing(_steps(first, options.width)),
        _simulation(session, options.width),
        remarks(session, options.width),
    ]


def invented(session: Session, width: int) -> list[Line]:
    """Values that had to be made up."""
    rows = session.original.simulation.invented if session.original.simulation is not None else ()
    lines: list[Line] = []
    if rows:
        head = "invented values, where the script asked for what was never computed"
        lines += [[(text, "warning")] for text in wrap(head, width)]
    for row in rows[:ROWS]:
        lead, what = f"  {row.times:>7} ×  ", f"  {clean(row.what)}"
        room = max(width - width_of(f"{lead}:{row.line}{what}"), PATH)
        place = f"{short_path(row.file, room)}:{row.line}" if row.line else "a line of a library"
        lines.append([(lead, ""), (place + what, "")])
    if len(rows) > ROWS:
        others = sum(row.times for row in rows[ROWS:])
        lines.append([(f"  {others:>7} ×  on {plural(len(rows) - ROWS, 'more line')}", "dim")])
    return flowing_lines(lines, width)


def flowing_lines(lines: Iterable[Line], width: int) -> list[Line]:
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


def headline(failure: Failure) -> str:
    """The first line of an exception's message."""
    first, _, more = failure.message.strip().partition("\n")
    cut = clean(first)[:MESSAGE]
    return f"{cut} ..." if more or len(cut) < len(clean(first)) else cut


def ending(run: Arm | Rank) -> str:
    """How a run came to its end, as a clause."""
    if run.stopped != ENDED:
        return stop_in_words(run.stopped)
    shortened = isinstance(run, Arm) and run.cuts
    return "the script ran to its end, its loops cut short" if shortened else "the script ran to its end"


def by_bytes(session: Session) -> list[Judged]:
    """Findings as the report lists them: the greatest measured effect first."""
    return sorted(
        session.findings,
        key=lambda judged: (-effect(judged.verdict), judged.finding["path"], judged.finding["line"]),
    )


def effect(verdict: Verdict) -> int:
    """Bytes by which a verdict is ranked: the peak or what a hundred steps would bring, whichever is more."""
    return max(verdict.measured_bytes or 0, 100 * (verdict.bytes_per_step or 0))


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


def _ranks(arm: Arm) -> list[Line]:
    highest = arm.highest
    if highest is None:
        return []
    world = arm.simulation.world if arm.simulation is not None else 0
    count = plural(len(arm.ranks), "rank") + (f" of {world} simulated" if world else "")
    head = f"{count}, the highest peak is that of rank {highest.rank}"
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
        return []
    if not arm.peak.bytes:
        return []
    of = " of tensors" if arm.cuda else ""
    head = f"what filled the {how(arm)}peak{of}, {size(arm.peak.bytes)}"
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
    unit = unit_of(run.unit) if isinstance(run, Arm) else "step"
    if isinstance(run, Arm) and run.cut_short:
        return f"{name}{f', {unit} {step}' if step else ''}; tensors were followed up to {run.cut_short} only"
    if not step:
        return name
    if step <= len(run.steps):
        return f"{name}, {unit} {step}"
    if run.failure is not None and phase in STEP_PHASES:
        return f"{name}, {unit} {step}, which it did not finish"
    others = isinstance(run, Arm) and run.counts.get(run.unit, 0) > len(run.steps)
    # Other lines make steps too, and may go on.
    place = f" at {run.series.partition(' at ')[2]}" if others and isinstance(run, Arm) and run.series else ""
    return f"{name}, after the last {unit}{place}"


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


def _more_lines(session: Session, width: int) -> list[Line]:
    """Who holds the peak, behind those that the first screen has shown."""
    rows = merged(session.original.lines)
    if len(rows) <= FIRST:
        return []
    return [[("who else holds it at the peak", "head")], *held(session, width, rows[FIRST:])]


def _alive_then(session: Session, options: RenderOptions, then: Exhausted) -> list[Line]:
    by_kind = _table("by kind", then.kinds, then.bytes, options.width)
    return [*by_kind, *held(session, options.width, merged(then.lines))]


def held(session: Session, width: int, rows: Sequence[Held], most: int = ROWS) -> list[Line]:
    """Rows of the peak: bytes, kind, line and code; beyond `most`, their sum."""
    lines: list[Line] = []
    for row in rows[:most]:
        file, number = row.forward_file or row.file, row.forward_line or row.line
        code = clean(source(session, file, number))
        after = f"{' (made by backward)' if row.forward_line else ''}{inside(row)}"
        text = f"  {size(row.bytes):>10}  {row.kind:<15}  {_line_of(file, number)}{clean(after)}  {code}"
        if width_of(text) > width:
            place = _line_of(short_path(file, PATH), number)
            text = f"  {size(row.bytes):>10}  {row.kind:<15}  {place}{clean(after)}  {code}"
        lines.append([(text if width_of(text) <= width else text[: width - 3] + "...", "")])
    if len(rows) > most:
        rest = sum(row.bytes for row in rows[most:])
        lines.append([(f"  {size(rest):>10}  on {plural(len(rows) - most, 'more line')}", "dim")])
    return lines


def _line_of(file: str, number: int) -> str:
    return f"{clean(file)}:{number}" if number else "(no line of the project)"


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
    """The values as bars between the least and the greatest; of too many, the greatest of each group.

    The highest bar stands for a twentieth of the greatest value at least, so that little looks little.
    """
    group = -(-len(values) // max(width, 1))
    shown = [max(values[i : i + group]) for i in range(0, len(values), group)]
    low, high = min(shown), max(shown)
    span = max(high - low, high // 20, 1)
    return "".join(BARS[(value - low) * (len(BARS) - 1) // span] for value in shown)


def _simulation(session: Session, width: int) -> list[Line]:
    """What is particular to this script: terms that are not in its numbers, values that were made up."""
    simulation = session.original.simulation
    if simulation is None:
        return []
    lines: list[Line] = []
    for term in simulation.unknown:
        lines += [[(text, "dim")] for text in wrap(f"not in the numbers: {term}", width)]
    return lines + invented(session, width)


def remarks(session: Session, width: int) -> list[Line]:
    """Notes on the session and its first run."""
    first = session.original
    lost = dict.fromkeys(text for arm in session.arms for text in arm.lost)
    remarks = [("warning", text) for text in lost]
    remarks += [("dim", f"refused: {what}") for what in first.refused]
    remarks += [("dim", note) for note in dict.fromkeys((*session.notes, *first.notes))]
    if first.written:
        remarks.append(
            ("dim", f"kept out of the way: {plural(len(first.written), 'file')} that the script wrote")
        )
    lines: list[Line] = []
    for style, remark in remarks:
        lines += [[(text, style)] for text in wrap(f"note: {remark}", width)]
    return lines
