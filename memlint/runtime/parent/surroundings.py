"""What a session says beside its verdicts: the machine, the source lines, a run that left nothing."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence

from memlint.finding import Finding, each
from memlint.runtime import host
from memlint.runtime.parent.arms import Outcome, Target
from memlint.runtime.parent.counterfactual import fix_of
from memlint.runtime.parent.plan import ORIGINAL
from memlint.session import Arm, Environment, Failure, Peak
from memlint.session.words import KILLED

LINES_OF_A_FIX = 200
"""Lines from which on a fix is not shown: it wraps half of a file."""

LOST = "unknown"
"""The device of a run that died before it could say anything."""


def environment(original: Arm) -> Environment:
    """Where the replay ran, and on what the script put its tensors."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        torch = version("torch")
    except PackageNotFoundError:
        torch = "unknown"
    name = platform.processor() or platform.machine()
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Environment(
        python=sys.version.split()[0],
        platform=platform.platform(terse=True),
        torch=torch,
        device=original.device,
        device_name=name if original.device == "cpu" else original.machine or original.device,
        threads=threads,
        memory=host.total_bytes(),
    )


def where(original: Arm) -> str:
    """Why a simulation could not go on, in one line."""
    assert original.simulation is not None
    assert original.failure is not None
    place = f"{original.failure.file}:{original.failure.line}: " if original.failure.line else ""
    return f"{place}{original.simulation.unsupported}"


def sources(
    texts: Mapping[str, str], findings: Sequence[Finding], original: Arm
) -> dict[str, dict[str, str]]:
    """The source lines that the report speaks of, by file and line number (as text: JSON keys)."""
    wanted: dict[str, set[int]] = {}
    for held in original.lines:
        wanted.setdefault(held.file, set()).add(held.line)
        wanted.setdefault(held.forward_file, set()).add(held.forward_line)
    for made_up in original.simulation.invented if original.simulation is not None else ():
        wanted.setdefault(made_up.file, set()).add(made_up.line)
    for row in (*original.growth, *original.host_growth):
        wanted.setdefault(row.file, set()).add(row.line)
    for finding in each(findings):
        near = range(max(1, finding.span.line - 2), min(finding.span.end_line, finding.span.line + 8) + 3)
        wanted.setdefault(finding.path, set()).update(near)
        if (fix := fix_of(finding)) is not None:
            spans = [edit.span for edit in fix.edits]
            changed = {n for span in spans for n in range(span.line, span.end_line + 1)}
            wanted[finding.path] |= changed if len(changed) <= LINES_OF_A_FIX else set()
    found: dict[str, dict[str, str]] = {}
    for path in sorted(wanted.keys() & texts.keys()):
        lines = texts[path].splitlines()
        found[path] = {str(n): lines[n - 1] for n in sorted(wanted[path]) if 0 < n <= len(lines)}
    return found


def lost(target: Target, outcome: Outcome) -> Arm:
    """The arm of a run that left no result: how it ended, and nothing else."""
    ended = outcome.problem
    failure = Failure(KILLED, ended, "", 0, False) if outcome.died else None
    probe = "simulate" if target.simulated else "tracker"
    return Arm(ORIGINAL, "the script as it is", probe, LOST, ended, 0.0, Peak(0, "setup", 0, 0), (), failure)


def seen_lines(arm: Arm) -> tuple[str, ...]:
    """Lines of which it is known without watching them that they ran: they made something."""
    made = {(row.file, row.line) for row in arm.lines} | {(row.file, row.line) for row in arm.growth}
    made |= {(row.forward_file, row.forward_line) for row in arm.lines}
    return tuple(sorted(f"{file}:{line}" for file, line in made if line))
