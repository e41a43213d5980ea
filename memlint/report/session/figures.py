"""The figures of a replay's page: what filled the peak, who made it, the steps, the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from memlint.report.session.growth_words import about_leak, counts, grown, leak_in_words
from memlint.report.session.report import growth_lines
from memlint.report.session.text import FIRST, ended, grows, merged, source, when
from memlint.session import KINDS, PHASES, Arm, Held, Session, Step, is_measured
from memlint.units import plural, size

ROWS = 40
NARROWEST = 0.6
"""Per cent of the peak below which a line gets no cell of its own among those of its kind."""

READABLE = 6
"""Per cent of the peak from which a cell has room for its label."""


def section(title: str, body: str, hint: str = "") -> str:
    """A titled part of the page; "" for an empty body."""
    if not body:
        return ""
    said = f'<p class="hint">{escape(hint)}</p>' if hint else ""
    return f"<section><h2>{escape(title)}</h2>{said}{body}</section>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table of cells that are HTML already; each names its column, for narrow screens."""
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-label="{escape(head)}">{cell}</td>' for head, cell in zip(heads, row, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    if not body:
        return ""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    inner = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table class="{kind}">{inner}</table></div>'


def meter(parts: Iterable[tuple[str, int]], whole: int, kind: str = "") -> str:
    """A horizontal bar of coloured parts, as long as they are of the whole."""
    inner = "".join(
        f'<i class="{name}" style="width:{100 * count / max(whole, 1):.2f}%"></i>'
        for name, count in parts
        if count
    )
    return f'<span class="meter {kind}">{inner}</span>'


def place_of(file: str, line: int) -> str:
    """A line of the project, as text."""
    return f"{file}:{line}" if line else "(no line of the project)"


def anchor(path: str, line: int) -> str:
    """The id of a source line."""
    return f"{path}:{line}"


def maker(held: Held) -> tuple[str, int, str]:
    """The file and line that stand for a row of the peak, and how it made the bytes."""
    return *held.made_by, " (by its backward)" if held.forward_line else ""


def _colour(name: str) -> str:
    """The class that colours a kind or a phase, the same all over the page."""
    return f"k{KINDS.index(name)}" if name in KINDS else f"p{PHASES.index(name)}"


# --- the peak ---------------------------------------------------------------------------------------


def breakdown(session: Session) -> str:
    """What filled the peak: kinds with their lines below them, then phases."""
    first = session.original
    whole = first.peak.bytes
    if not whole or not first.kinds:
        return ""
    body = f'<div class="icicle">{_bar(first.kinds, whole)}{_lines_by_kind(session)}</div>'
    body += _legend(first.kinds, whole)
    body += f'<h3>by the phase in which it was made</h3><div class="icicle">{_bar(first.phases, whole)}</div>'
    body += _legend(first.phases, whole)
    hint = f"{size(whole)} alive at once; above by kind, below the lines that made them"
    return section("What filled the peak", body, hint)


def _bar(parts: dict[str, int], whole: int) -> str:
    cells = "".join(
        _cell(f"{name} {size(count)}", count, whole, _colour(name)) for name, count in parts.items() if count
    )
    return f'<div class="row">{cells}</div>'


def _cell(label: str, count: int, whole: int, kind: str) -> str:
    share = 100 * count / whole
    title = escape(f"{label} ({share:.1f} %)")
    shown = escape(label) if share >= READABLE else ""
    return f'<span class="{kind}" style="width:{share:.4f}%" title="{title}">{shown}</span>'


def _lines_by_kind(session: Session) -> str:
    whole = session.original.peak.bytes
    cells = ""
    for kind, total in session.original.kinds.items():
        mine = [row for row in merged(session.original.lines) if row.kind == kind]
        large = [row for row in mine if 100 * row.bytes / whole >= NARROWEST]
        for row in large:
            file, line, how = maker(row)
            code = source(session, file, line)
            label = f"{place_of(file, line)}{how} {code}"
            cells += _cell(label, row.bytes, whole, f"{_colour(kind)} thin")
        if rest := total - sum(row.bytes for row in large):
            cells += _cell("more lines", rest, whole, f"{_colour(kind)} thin")
    return f'<div class="row">{cells}</div>'


def _legend(parts: dict[str, int], whole: int) -> str:
    items = "".join(
        f'<li><i class="{_colour(name)}"></i>{escape(name)} <b>{size(count)}</b> '
        f"{100 * count / whole:.1f} %</li>"
        for name, count in parts.items()
        if count
    )
    return f'<ul class="legend">{items}</ul>'


def holders(session: Session) -> str:
    """Who holds the peak: the lines that hold most of it, with bars."""
    return _holders(session, "Who holds it", 0, FIRST)


def more_holders(session: Session) -> str:
    """The lines behind those."""
    return _holders(session, "Who else holds it", FIRST, ROWS)


def _holders(session: Session, title: str, first: int, last: int) -> str:
    whole = session.original.peak.bytes
    found = merged(session.original.lines)
    most = found[0].bytes if found else 1
    rows = []
    for held in found[first:last]:
        file, line, how = maker(held)
        bar = meter([(_colour(held.kind), held.bytes)], most)
        share = f"{100 * held.bytes / whole:.1f} %" if whole else ""
        code = f"<code>{escape(source(session, file, line))}</code>"
        rows.append((size(held.bytes), share + bar, held.kind, escape(place_of(file, line) + how), code))
    heads = ("bytes", "share", "kind", "made at", "source line")
    more = len(found) - last if last == ROWS else 0
    rest = f'<p class="hint">and {more} more lines in the session file</p>' if more > 0 else ""
    return section(title, table(heads, rows, "brief") + rest if rows else "")


# --- steps ------------------------------------------------------------------------------------------


def steps(arm: Arm) -> str:
    """Every step: what it left alive, how high it went, how long it took."""
    if not arm.steps or not is_measured(arm.device):
        return ""
    top = max((step.peak for step in arm.steps), default=0) or 1
    rows = [_step(arm, number, step, top) for number, step in enumerate(arm.steps, 1)]
    heads = ["step", "peak within it", "", "alive after it", "change", "time", "autograd nodes"]
    waits = any(step.waiting > 0 for step in arm.steps)
    if not waits:
        return _folded(heads, rows)
    timed = [(*row, f"{1000 * step.waiting:.3g} ms") for row, step in zip(rows, arm.steps, strict=True)]
    return _folded([*heads, "waiting for data"], timed)


def _folded(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    count = f"{plural(len(rows), 'step')}, one by one"
    return f"<details><summary>{count}</summary>{table(heads, rows, 'steps')}</details>"


def _step(arm: Arm, number: int, step: Step, top: int) -> tuple[str, ...]:
    before = arm.steps[number - 2].bytes if number > 1 else None
    change = step.bytes - before if before is not None else 0
    sign = "+" if change > 0 else "−"
    mark = " ◀ peak" if number == arm.peak.step else ""
    bar = meter([("accent", step.peak)], top)
    return (
        f"{number}{mark}",
        size(step.peak),
        bar,
        size(step.bytes),
        f"{sign}{size(abs(change))}" if change else "·",
        f"{1000 * step.seconds:.3g} ms" if step.seconds else "·",
        f"{step.nodes:,}" if step.nodes else "·",
    )


def growth(session: Session) -> str:
    """What grows from step to step and what holds it, then each line that leaves something behind."""
    first = session.original
    if not first.growth and not first.host_growth and not session.leaks:
        said = "".join(text for line in growth_lines(session) for text, _ in line)
        return f'<p class="grows">{escape(said)}</p>' if said else ""
    found = []
    for leak in session.leaks:
        style = "" if leak.bound else "bad"
        facts = "<br>".join(escape(text) for text in about_leak(session, leak))
        found.append((f'<span class="{style}">{escape(leak_in_words(session, leak))}</span>', facts))
    rows = []
    for row in [row for row in (*first.growth, *first.host_growth) if counts(row, first)][:ROWS]:
        code = f"<code>{escape(source(session, row.file, row.line))}</code>"
        rows.append((size(row.bytes_per_step), escape(grown(row, first)), code))
    leaks = table(("leak", "how it was seen"), found) if found else ""
    lines = table(("per step", "line", "source line"), rows) if rows else ""
    return section("What grows", leaks + lines) if leaks or lines else ""


# --- ranks ------------------------------------------------------------------------------------------


def ranks(arm: Arm) -> str:
    """Every rank's peak beside the others'."""
    highest = arm.highest
    if highest is None:
        return ""
    top = highest.peak.bytes or 1
    rows = []
    for row in arm.ranks:
        mark = " ◀ highest" if row.rank == highest.rank else ""
        peak = size(row.peak.bytes) if is_measured(row.device) else "not measured"
        grown = grows(row.growth) or "none"
        where = when(row)
        end = f'<span class="{"bad" if row.failure else ""}">{escape(ended(row))}</span>'
        bar = meter([(_colour(kind), count) for kind, count in row.kinds.items()], top, "long")
        rows.append((f"{row.rank}{mark}", peak, bar, where, grown, str(len(row.steps)), end))
    heads = ("rank", "peak", "by kind", "in", "growth", "steps", "end")
    return section("Ranks", table(heads, rows), f"all other figures are those of rank {arm.rank}")
