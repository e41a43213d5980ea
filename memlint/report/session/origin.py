"""The parts of a replay's page about how the numbers came about: CUDA's allocator, a simulation's reach."""

from __future__ import annotations

from html import escape

from memlint.report.session.allocator_text import allocator, blocks, exhausted
from memlint.report.session.answer import DOCS
from memlint.report.session.figures import ROWS, place_of, section, table
from memlint.report.session.text import merged, source
from memlint.report.style import Line
from memlint.session import Arm, Exhausted, Session
from memlint.units import plural, size


def out_of_memory(arm: Arm) -> str:
    """Where memory ran out, and what was alive then."""
    return _told("Out of memory", exhausted(arm, size, _alive_then))


def of_allocator(arm: Arm) -> str:
    """What CUDA's allocator and the driver counted."""
    return _told("CUDA's allocator", [*allocator(arm, size), *blocks(arm, size)])


def _told(title: str, lines: list[Line]) -> str:
    """Lines of the text report as a section, "" for none."""
    said = "".join(f"<li>{escape(''.join(text for text, _ in line).strip())}</li>" for line in lines)
    return section(title, f"<ul>{said}</ul>" if said else "")


def _alive_then(then: Exhausted) -> list[Line]:
    kinds = ", ".join(f"{kind} {size(count)}" for kind, count in then.kinds.items() if count)
    made = (
        f"{size(held.bytes)} {held.kind} made at {place_of(held.file, held.line)}"
        for held in merged(then.lines)[:ROWS]
    )
    return [[(text, "")] for text in (f"by kind: {kinds}", *made)]


def reach(session: Session) -> str:
    """How far a simulation of this script goes: what is not in its numbers, which values were invented."""
    simulation = session.original.simulation
    if simulation is None:
        return ""
    terms = [("not in the numbers", escape(term)) for term in simulation.unknown]
    times = sum(row.times for row in simulation.invented)
    made_up = [
        (
            f"{row.times} ×",
            escape(place_of(row.file, row.line)),
            escape(row.what),
            f"<code>{escape(source(session, row.file, row.line))}</code>",
        )
        for row in simulation.invented[:ROWS]
    ]
    body = table(("term", "what"), terms)
    if made_up:
        body += f"<h3>{plural(times, 'invented value')}</h3>"
        body += table(("times", "made at", "what", "source line"), made_up)
    return section("How far the simulation goes", body, f"{simulation.gpu}; limits: {DOCS}")
