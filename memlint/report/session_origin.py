"""The parts of a replay's page about how the numbers came about: CUDA's allocator, a simulation's reach."""

from __future__ import annotations

from html import escape

from memlint.report.allocator_text import allocator, blocks, exhausted
from memlint.report.session_figures import ROWS, place_of, section, table
from memlint.report.session_text import SIMULATED_RUN, merged, source
from memlint.report.style import Line
from memlint.session import Arm, Exhausted, Session
from memlint.units import plural, size


def warning(arm: Arm) -> str:
    """That everything is predicted, where it is."""
    return f'<p class="error"><strong>{escape(SIMULATED_RUN)}</strong></p>' if arm.simulation else ""


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
    """How far a simulation goes: what is modelled, what is unknown, which values were invented."""
    simulation = session.original.simulation
    if simulation is None:
        return ""
    terms = [("modelled", escape(term)) for term in simulation.modelled]
    terms += [("unknown", escape(term)) for term in simulation.unknown]
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
    body = table(("term", "what"), terms) + f"<h3>{plural(times, 'invented value')}</h3>"
    return section(
        "How far the simulation goes", body + table(("times", "made at", "what", "source line"), made_up)
    )
