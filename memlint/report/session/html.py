"""A replay as one HTML page: no network, no dependencies, light and dark as the reader's system is.

Its content security policy lets the one script run that memlint itself wrote, and nothing be loaded.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from memlint.report import minidiff
from memlint.report.session.allocator_text import how, top
from memlint.report.session.answer import answer, best
from memlint.report.session.figures import (
    anchor,
    breakdown,
    growth,
    holders,
    maker,
    meter,
    more_holders,
    ranks,
    section,
    steps,
    table,
)
from memlint.report.session.growth_words import unit_of
from memlint.report.session.modules import modules
from memlint.report.session.next_command import next_command
from memlint.report.session.origin import of_allocator, out_of_memory, reach
from memlint.report.session.report import WORTH_A_FIX, diff_of
from memlint.report.session.text import STATUS_WORDS, by_bytes, ending, measured, tally
from memlint.session import PHASES, SIMULATED, Arm, Judged, Session
from memlint.units import plural, size

AROUND = 2
"""Source lines shown before and after that of a finding."""


def render(session: Session) -> str:
    """The page."""
    first = session.original
    parts = [
        _head(session),
        holders(session),
        growth(session),
        _findings(session),
        _next(session),
        ranks(first),
        _timeline(session),
        out_of_memory(first),
        breakdown(session),
        more_holders(session),
        modules(session),
        of_allocator(first),
        reach(session),
        _arms(session),
        _code(session),
        _environment(session),
    ]
    assets = files("memlint.report") / "assets"
    style = (assets / "session.css").read_text(encoding="utf-8")
    code = (assets / "session.js").read_text(encoding="utf-8")
    allowed = b64encode(sha256(code.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>memlint replay: {escape(session.script)}</title><style>{style}</style></head>\n<body><main>"
        + "\n".join(part for part in parts if part)
        + f'</main>\n<script type="application/json" id="data">{_data(first, _best(session))}</script>\n'
        f"<script>{code}</script></body></html>\n"
    )


def _data(arm: Arm, best: Arm | None) -> str:
    """What the timeline draws; nothing in it can end the script element early, or keep it open."""
    data: dict[str, Any] = {
        "curve": arm.curve,
        "steps": [{"event": step.event, "bytes": step.bytes, "peak": step.peak} for step in arm.steps],
        "peak": {"event": arm.peak.event, "bytes": arm.peak.bytes, "phase": arm.peak.phase},
        "events": arm.events,
        "ribbon": [[event, PHASES.index(phase)] for event, phase in arm.ribbon],
        "phases": PHASES,
        "best": best.peak.bytes if best is not None else 0,
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _head(session: Session) -> str:
    first = session.original
    command = " ".join((session.script, *session.arguments))
    where = f"{session.environment.device_name} ({first.device})"
    ran = f"{plural(len(first.steps), unit_of(first.unit))} on {where}"
    failure = ""
    if first.failure is not None:
        text = f"{first.failure.in_short}: {first.failure.message}"
        failure = f'<p class="error">{escape(text)}</p>'
    found = answer(session)
    facts = "".join(f"<li>{escape(fact)}</li>" for fact in found.facts)
    return (
        f'<header><p class="brand">memlint replay</p><h1>{escape(command)}</h1>'
        f'<p class="hint">{escape(f"{ran}, torch {session.environment.torch}; {ending(first)}")}</p>'
        f'{_errors(session)}{failure}<div class="answer {found.style}"><p>{escape(found.headline)}</p>'
        f"<ul>{facts}</ul></div></header>"
    )


def _best(session: Session) -> Arm | None:
    found = best(session)
    return found if found is not None and found.peak.bytes < session.original.peak.bytes else None


def _next(session: Session) -> str:
    found = next_command(session)
    if found is None:
        return ""
    return section("Next", f'<pre class="command">{escape(found.command)}</pre>', found.why)


def _errors(session: Session) -> str:
    return "".join(f'<p class="error">memlint error: {escape(text)}</p>' for text in session.errors)


def _findings(session: Session) -> str:
    if not session.findings:
        return section("Findings", "<p>None to judge.</p>")
    cards = "".join(_card(session, judged) for judged in by_bytes(session))
    return section("Findings", f'<div class="cards">{cards}</div>', tally(session))


def _card(session: Session, judged: Judged) -> str:
    finding, verdict = judged.finding, judged.verdict
    place = _place(session, finding)
    lines = session.sources.get(finding["path"], {})
    effect = measured(verdict)
    predicted = " (simulated)" if verdict.device == SIMULATED else ""
    return (
        f'<article class="{verdict.status}"><p class="line">'
        f'<span class="status {verdict.status}">{STATUS_WORDS[verdict.status]}</span>{predicted}'
        f'<b class="effect">{escape(effect) if effect != "-" else ""}</b>'
        f'<span class="code">{escape(finding["code"])} {escape(finding["name"])}</span>'
        f'<span class="where">{place}</span></p>'
        f'<p class="message">{escape(finding["message"])}</p>'
        f'<p class="reason">{escape(verdict.reason)}</p>'
        f"{_secondary(session, finding)}{_compared(session, judged)}"
        f"{_snippet(lines, finding['line'])}{_diff(session, judged)}</article>"
    )


def _secondary(session: Session, finding: dict[str, Any]) -> str:
    """The other places of the same cause, each with what is said of it."""
    rows = "".join(
        f'<li><span class="code">{escape(other["code"])}</span> {_place(session, other)}'
        f" {escape(other['label'])}</li>"
        for other in finding.get("secondary", ())
    )
    return f'<ul class="also">{rows}</ul>' if rows else ""


def _place(session: Session, finding: dict[str, Any]) -> str:
    """`path:line` of a finding or a secondary place, as a link where the page has the line."""
    place = escape(f"{finding['path']}:{finding['line']}")
    if str(finding["line"]) not in session.sources.get(finding["path"], {}):
        return place
    return f'<a href="#{escape(anchor(finding["path"], finding["line"]))}">{place}</a>'


def _compared(session: Session, judged: Judged) -> str:
    """Two bars: the peak as it is, and with the fix."""
    fixed = next((arm for arm in session.arms if arm.name == judged.arm), None)
    before = session.original.top_bytes
    if fixed is None or not judged.verdict.measured_bytes or not before:
        return ""
    most = max(before, fixed.top_bytes)
    rows = (("as it is", session.original, "accent"), (f"with {fixed.title}", fixed, "fixed"))
    bars = ((meter([(kind, arm.top_bytes)], most, "long"), top(arm, size), name) for name, arm, kind in rows)
    return "".join(f'<p class="versus">{bar} {peak} {escape(name)}</p>' for bar, peak, name in bars)


def _snippet(lines: dict[str, str], wanted: int) -> str:
    near = [n for n in range(wanted - AROUND, wanted + AROUND + 1) if str(n) in lines]
    rows = "".join(
        f"<span{' class=hit' if n == wanted else ''}><b>{n:>5}</b> {escape(lines[str(n)])}</span>\n"
        for n in near
    )
    return f"<pre>{rows}</pre>" if rows else ""


def _diff(session: Session, judged: Judged) -> str:
    """What the fix changes, where the verdict leaves a reason to apply it."""
    if judged.verdict.status not in WORTH_A_FIX:
        return ""
    rows = "".join(map(_changed, diff_of(session, judged)))
    return f'<pre class="diff">{rows}</pre>' if rows else ""


def _changed(row: minidiff.Row) -> str:
    if row.sign == "~":
        return f'<span class="gap">⋮ {plural(row.count, "line")} re-indented</span>\n'
    kind = "removed" if row.sign == "-" else "added"
    return f'<span class="{kind}"><b>{row.number:>5}</b> {row.sign} {escape(row.text)}</span>\n'


def _timeline(session: Session) -> str:
    first = session.original
    if not first.curve:
        return ""
    seen = [phase for phase in PHASES if any(phase == name for _, name in first.ribbon)]
    legend = "".join(f'<li><i class="p{PHASES.index(name)}"></i>{escape(name)}</li>' for name in seen)
    body = (
        '<div id="timeline" role="img" aria-label="bytes alive over the run"></div>'
        '<p id="readout" class="hint" aria-live="polite"></p>'
        f'<ul class="legend" aria-label="phases">{legend}</ul>{steps(first)}'
    )
    return section("Bytes alive", body, "drag to zoom, double-click to see everything")


def _arms(session: Session) -> str:
    rows = []
    before = session.original.top_bytes
    for arm in session.arms:
        tracked = arm.probe not in ("host", "clock")
        change = arm.top_bytes - before if tracked else 0
        peak = how(arm) + top(arm, size) if tracked else "not tracked"
        less = f"{'−' if change < 0 else '+'}{size(abs(change))}" if change else ""
        end = ending(arm) if arm.failure is None else f"{arm.stopped}: {arm.failure.type}"
        cells = (arm.title, arm.probe, peak, less, str(len(arm.steps)), f"{arm.seconds:.1f} s", end)
        rows.append(tuple(map(escape, cells)))
    heads = ("run", "probe", "peak", "change", "steps", "took", "end")
    return section("Runs", table(heads, rows))


def _code(session: Session) -> str:
    places = [p for j in session.findings for p in (j.finding, *j.finding.get("secondary", ()))]
    marked = {(place["path"], place["line"]) for place in places}
    held = _held_by_line(session.original)
    found = ""
    for path, lines in session.sources.items():
        rows, last = "", 0
        for number, text in ((int(key), text) for key, text in lines.items()):
            gap = '<span class="gap">⋮</span>\n' if last and number != last + 1 else ""
            mark = ' class="hit"' if (path, number) in marked else ""
            count = held.get((path, number), 0)
            heat = 100 * count / max(session.original.peak.bytes, 1)
            much = f'<em style="--heat:{heat:.1f}%">{size(count) if count else "":>10}</em>'
            name = escape(anchor(path, number))
            rows += f'{gap}<span id="{name}"{mark}>{much}<b>{number:>5}</b> {escape(text)}</span>\n'
            last = number
        found += f"<h3>{escape(path)}</h3><pre>{rows}</pre>"
    return section("Source", found, "bytes held at the peak by what each line made, forward and backward")


def _held_by_line(arm: Arm) -> Counter[tuple[str, int]]:
    total: Counter[tuple[str, int]] = Counter()
    for row in arm.lines:
        file, line, _ = maker(row)
        total[file, line] += row.bytes
    return total


def _environment(session: Session) -> str:
    there = session.environment
    first = session.original
    facts = [
        ("memlint", session.memlint),
        ("torch", there.torch),
        ("Python", there.python),
        ("platform", there.platform),
        ("started", session.started),
        *((key.replace("_", " "), _option(key, value)) for key, value in session.options.items()),
        *(
            (f"{how(first)}cuda {key.replace('_', ' ')}", _counter(key, value))
            for key, value in first.cuda.items()
        ),
    ]
    if first.outside is not None:
        facts.append(("peak of torch's allocator minus tracked peak", size(first.outside)))
    notes = "".join(f"<li>{escape(note)}</li>" for note in dict.fromkeys((*session.notes, *first.notes)))
    refused = "".join(f"<li>refused: {escape(what)}</li>" for what in first.refused)
    cells = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts)
    return f'<section><h2>Environment</h2><dl class="facts">{cells}</dl><ul>{notes}{refused}</ul></section>'


def _option(key: str, value: Any) -> str:
    return size(value) if key in ("memory_limit", "device_memory") and value else str(value)


def _counter(key: str, value: int) -> str:
    return f"{value:,}" if key in ("retries", "out_of_memory") else size(value)
