"""A replay as one HTML page: no network, no dependencies, light and dark as the reader's system is."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any

from memlint.report.allocator_text import allocator, blocks, exhausted, how
from memlint.report.session_text import (
    SIMULATED_RUN,
    STATUS_WORDS,
    by_bytes,
    measured,
    merged,
    size,
    source,
)
from memlint.report.style import Line
from memlint.report.summary import plural
from memlint.session import KINDS, SIMULATED, Arm, Held, Judged, Session, is_measured

ROWS = 40


def render(session: Session) -> str:
    """The page."""
    first = session.original
    parts = [
        _head(session),
        _warning(session),
        _errors(session),
        _verdicts(session),
        _timeline(session),
        _breakdown("Peak by kind", first.kinds, first.peak.bytes),
        _breakdown("Peak by phase", first.phases, first.peak.bytes),
        _told("Out of memory", exhausted(first, size, lambda rows: _rows(merged(rows)))),
        _holders(session),
        _told("CUDA's allocator", [*allocator(first, size), *blocks(first, size)]),
        _growth(session),
        _simulation(session),
        _arms(session),
        _code(session),
        _environment(session),
    ]
    assets = files("memlint.report") / "assets"
    style = (assets / "session.css").read_text(encoding="utf-8")
    code = (assets / "session.js").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>memlint replay: {escape(session.script)}</title><style>{style}</style></head>\n<body><main>"
        + "\n".join(part for part in parts if part)
        + f'</main>\n<script type="application/json" id="data">{_data(first)}</script>\n'
        f"<script>{code}</script></body></html>\n"
    )


def _data(arm: Arm) -> str:
    """What the timeline draws; `</` cannot end the script element early."""
    data: dict[str, Any] = {
        "curve": arm.curve,
        "steps": [{"event": step.event, "bytes": step.bytes, "peak": step.peak} for step in arm.steps],
        "peak": {"event": arm.peak.event, "bytes": arm.peak.bytes, "phase": arm.peak.phase},
        "events": arm.events,
    }
    return json.dumps(data, separators=(",", ":")).replace("</", "<\\/")


def _head(session: Session) -> str:
    first = session.original
    command = " ".join((session.script, *session.arguments))
    where = f" in {first.peak.phase}" if first.peak.bytes else ""
    facts = [
        (
            f"{how(first)}peak",
            f"{size(first.peak.bytes)}{where}" if is_measured(first.device) else "not measured",
        ),
        ("steps", str(len(first.steps))),
        ("device", f"{session.environment.device_name} ({first.device})"),
        ("ended by", first.stopped),
    ]
    cells = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts)
    failure = ""
    if first.failure is not None:
        text = f"{first.failure.type} at {first.failure.file}:{first.failure.line}: {first.failure.message}"
        failure = f'<p class="error">{escape(text)}</p>'
    return f'<header><h1>{escape(command)}</h1><dl class="facts">{cells}</dl>{failure}</header>'


def _errors(session: Session) -> str:
    return "".join(f'<p class="error">memlint error: {escape(text)}</p>' for text in session.errors)


def _verdicts(session: Session) -> str:
    if not session.findings:
        return "<section><h2>Findings</h2><p>None to judge.</p></section>"
    rows = "".join(_verdict(judged) for judged in by_bytes(session))
    head = "<tr><th>verdict</th><th>measured</th><th>rule</th><th>where</th><th>finding</th></tr>"
    return f"<section><h2>Findings</h2><table><thead>{head}</thead><tbody>{rows}</tbody></table></section>"


def _verdict(judged: Judged) -> str:
    finding, verdict = judged.finding, judged.verdict
    place = f"{finding['path']}:{finding['line']}"
    predicted = " (simulated)" if verdict.device == SIMULATED else ""
    link = f'<a href="#{escape(_anchor(finding["path"], finding["line"]))}">{escape(place)}</a>'
    status = f'<span class="status {verdict.status}">{STATUS_WORDS[verdict.status]}</span>{predicted}'
    text = f'{escape(finding["message"])}<div class="reason">{escape(verdict.reason)}</div>'
    cells = (status, escape(measured(verdict)), escape(finding["code"]), link, text)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _timeline(session: Session) -> str:
    if not session.original.curve:
        return ""
    return (
        "<section><h2>Bytes alive</h2>"
        '<p class="hint">Every birth and death of a tensor, in order; vertical lines are steps. '
        "Drag to zoom, double-click to see everything.</p>"
        '<div id="timeline" role="img" aria-label="bytes alive over the run"></div>'
        '<p id="readout" class="hint"></p></section>'
    )


def _breakdown(title: str, parts: dict[str, int], whole: int) -> str:
    shown = [(name, count) for name, count in parts.items() if count and whole]
    if not shown:
        return ""
    bars = legend = ""
    for number, (name, count) in enumerate(shown):
        share = 100 * count / whole
        colour = f"c{KINDS.index(name) if name in KINDS else number}"
        label = f"{escape(name)} {size(count)} ({share:.1f} %)"
        bars += f'<i class="{colour}" style="flex-grow:{share:.4f}" title="{label}"></i>'
        legend += f'<li><i class="{colour}"></i>{label}</li>'
    return f'<section><h2>{title}</h2><div class="bar">{bars}</div><ul class="legend">{legend}</ul></section>'


def _holders(session: Session) -> str:
    rows = ""
    whole = session.original.peak.bytes
    for held in merged(session.original.lines)[:ROWS]:
        file, line = (held.forward_file, held.forward_line) if held.forward_line else (held.file, held.line)
        place = f"{file}:{line}" if line else "(no line of the project)"
        how = " (by its backward)" if held.forward_line else ""
        code = f"<code>{escape(source(session, file, line))}</code>"
        share = f"{100 * held.bytes / whole:.1f} %" if whole else ""
        cells = (size(held.bytes), share, held.kind, escape(place + how), code)
        rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    if not rows:
        return ""
    head = "<tr><th>bytes</th><th>share</th><th>kind</th><th>made at</th><th></th></tr>"
    return f"<section><h2>Who holds the peak</h2><table>{head}{rows}</table></section>"


def _told(title: str, lines: list[Line]) -> str:
    """Lines of the text report as a section, "" for none."""
    said = "".join(f"<li>{escape(''.join(text for text, _ in line).strip())}</li>" for line in lines)
    return f"<section><h2>{title}</h2><ul>{said}</ul></section>" if said else ""


def _rows(found: list[Held]) -> list[Line]:
    places = (
        (held, f"{held.file}:{held.line}" if held.line else "(no line of the project)") for held in found
    )
    return [[(f"{size(held.bytes)} {held.kind} made at {place}", "")] for held, place in places][:ROWS]


def _growth(session: Session) -> str:
    rows = ""
    for row in session.original.growth[:ROWS]:
        place = f"{row.file}:{row.line}" if row.line else "(no line of the project)"
        code = f"<code>{escape(source(session, row.file, row.line))}</code>"
        seen = f"{row.steps} of {row.of}"
        cells = (size(row.bytes_per_step), escape(row.series), seen, escape(place), code)
        rows += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    if not rows:
        return ""
    head = "<tr><th>left behind</th><th>with every</th><th>seen in</th><th>made at</th><th></th></tr>"
    return f"<section><h2>Growth</h2><table>{head}{rows}</table></section>"


def _warning(session: Session) -> str:
    if session.original.simulation is None:
        return ""
    return f'<p class="hint"><strong>{escape(SIMULATED_RUN)}</strong></p>'


def _simulation(session: Session) -> str:
    simulation = session.original.simulation
    if simulation is None:
        return ""
    terms = [("modelled", term) for term in simulation.modelled]
    terms += [("unknown", term) for term in simulation.unknown]
    rows = "".join(f"<tr><td>{label}</td><td>{escape(term)}</td></tr>" for label, term in terms)
    times = sum(row.times for row in simulation.invented)
    made_up = ""
    for row in simulation.invented[:ROWS]:
        place = f"{row.file}:{row.line}" if row.line else "(no line of the project)"
        code = f"<code>{escape(source(session, row.file, row.line))}</code>"
        cells = (f"{row.times} ×", escape(place), escape(row.what), code)
        made_up += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    table = f"<table>{made_up}</table>" if made_up else ""
    return (
        f"<section><h2>How far the simulation goes</h2><table>{rows}</table>"
        f"<h3>{plural(times, 'invented value')}</h3>{table}</section>"
    )


def _arms(session: Session) -> str:
    rows = ""
    before = session.original.top_bytes
    for arm in session.arms:
        change = arm.top_bytes - before
        tracked = arm.probe in ("tracker", "simulate")
        peak = how(arm) + size(arm.top_bytes) if tracked else "not tracked"
        less = f"{'−' if change < 0 else '+'}{size(abs(change))}" if change and tracked else ""
        cells = (arm.title, arm.probe, peak, less, str(len(arm.steps)), arm.stopped)
        rows += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    head = "<tr><th>run</th><th>probe</th><th>peak</th><th>change</th><th>steps</th><th>ended by</th></tr>"
    return f"<section><h2>Runs</h2><table>{head}{rows}</table></section>"


def _code(session: Session) -> str:
    marked = {(j.finding["path"], j.finding["line"]) for j in session.findings}
    found = ""
    for path, lines in session.sources.items():
        if not any(file == path for file, _ in marked):
            continue
        rows, last = "", 0
        for number, text in ((int(key), text) for key, text in lines.items()):
            gap = '<span class="gap">⋮</span>\n' if last and number != last + 1 else ""
            mark = ' class="hit"' if (path, number) in marked else ""
            anchor = escape(_anchor(path, number))
            rows += f'{gap}<span id="{anchor}"{mark}><b>{number:>5}</b> {escape(text)}</span>\n'
            last = number
        found += f"<h3>{escape(path)}</h3><pre>{rows}</pre>"
    return f"<section><h2>Source</h2>{found}</section>" if found else ""


def _environment(session: Session) -> str:
    there = session.environment
    first = session.original
    facts = [
        ("memlint", session.memlint),
        ("torch", there.torch),
        ("Python", there.python),
        ("platform", there.platform),
        ("started", session.started),
        *((key.replace("_", " "), str(value)) for key, value in session.options.items()),
        *((f"{how(first)}cuda {key.replace('_', ' ')}", f"{value:,}") for key, value in first.cuda.items()),
    ]
    if first.outside is not None:
        facts.append(("peak of torch's allocator minus tracked peak", f"{first.outside:,} B"))
    notes = "".join(f"<li>{escape(note)}</li>" for note in dict.fromkeys((*session.notes, *first.notes)))
    refused = "".join(f"<li>refused: {escape(what)}</li>" for what in first.refused)
    cells = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts)
    return f'<section><h2>Environment</h2><dl class="facts">{cells}</dl><ul>{notes}{refused}</ul></section>'


def _anchor(path: str, line: int) -> str:
    return f"{path}:{line}"
