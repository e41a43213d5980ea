"""What a replay says of a script, held against what is expected and what was measured without memlint."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from benchmarks.real_scripts.scripts import FOLDER, Expected, Ran
from benchmarks.real_scripts.table import Replayed
from memlint.session import Arm, Judged, Session

KERNELS = 4096
"""Bytes by which the allocator's peak may differ: buffers of libraries that live as long as the process."""


def described(ran: Ran, expected: Expected, truths: dict[str, dict[str, Any]]) -> Replayed:
    """One replay as a row of the page, with everything in which it differs from what is expected."""
    session, arm = ran.session, ran.session.original
    simulated = arm.simulation is not None
    return Replayed(
        ended=arm.stopped,
        steps=arm.counts.get("optimizer step", 0),
        backwards=arm.counts.get("backward", 0),
        seconds=round(ran.seconds, 1),
        first_run=round(arm.seconds, 1),
        runs=len(session.arms),
        peak=arm.cuda["allocated_peak"] if simulated and "allocated_peak" in arm.cuda else arm.peak.bytes,
        allocator=arm.cuda.get("reserved_peak", 0) if simulated else arm.peak.bytes + (arm.outside or 0),
        phase=arm.peak.phase,
        line=place(arm.peak.file, arm.peak.line),
        findings=tuple(f"{j.finding['code']} {j.verdict.status}" for j in session.findings),
        grows=tuple(f"{place(row.file, row.line)} {row.bytes_per_step:,} B" for row in session.leaks),
        invented=sum(value.times for value in arm.simulation.invented) if arm.simulation is not None else 0,
        problems=tuple(problems(session, expected, truths)),
    )


def problems(session: Session, expected: Expected, truths: dict[str, dict[str, Any]]) -> list[str]:
    """Everything in which a session differs from what is expected, in words.

    On a simulated GPU bytes are those of another device: there it is asked whether the script is trained,
    what grows, and that nothing failed.
    """
    arm = session.original
    found = [f"failed: {arm.failure.in_short}"] if arm.failure is not None else []
    found += [f"error in memlint: {error}" for error in session.errors]
    for unit, wanted in (("optimizer step", expected.steps), ("backward", expected.backwards)):
        if (reached := arm.counts.get(unit, 0)) < wanted:
            found.append(f"reached {reached} times {unit}, expected {wanted} at least")
    found += _of_growth(session, expected)
    if arm.simulation is None:
        found += _of_peak(arm, expected)
        found += _of_findings(session, expected) if session.options["fixes"] else []
        found += _of_truth(arm, truths)
    elif arm.simulation.unsupported:
        found.append(f"cannot be simulated: {arm.simulation.unsupported}")
    return found


def _of_peak(arm: Arm, expected: Expected) -> list[str]:
    found = []
    if arm.peak.bytes != expected.peak:
        found.append(f"peak of {arm.peak.bytes:,} B, expected {expected.peak:,}")
    if arm.peak.phase != expected.phase:
        found.append(f"peak in {arm.peak.phase}, expected {expected.phase}")
    if (code := source(arm.peak.file, arm.peak.line)) != expected.line:
        found.append(f"peak at `{code}`, expected `{expected.line}`")
    return found


def _of_growth(session: Session, expected: Expected) -> list[str]:
    rows = {(source(row.file, row.line), row.bytes_per_step) for row in session.leaks if not row.bound}
    wanted = set(expected.grows)
    if session.original.simulation is not None:
        # Another device, other kernels: the lines are the same.
        rows, wanted = {(code, 0) for code, _ in rows}, {(code, 0) for code, _ in wanted}
    return [
        *(f"grows by {size:,} B at `{code}`, which is not expected" for code, size in sorted(rows - wanted)),
        *(f"no growth by {size:,} B at `{code}`" for code, size in sorted(wanted - rows)),
    ]


def _of_findings(session: Session, expected: Expected) -> list[str]:
    rows = {(str(j.finding["code"]), _code_of(j), j.verdict.status) for j in session.findings}
    wanted = set(expected.findings)
    return [
        *(f"{code} at `{line}` is {status}: not expected" for code, line, status in sorted(rows - wanted)),
        *(f"{code} at `{line}` is not {status}" for code, line, status in sorted(wanted - rows)),
    ]


def _of_truth(arm: Arm, truths: dict[str, dict[str, Any]]) -> list[str]:
    """Differences from what was measured in this run of the command."""
    found = []
    if "allocator" in truths and arm.outside is not None:
        said, real = arm.peak.bytes + arm.outside, truths["allocator"]["peak"]
        if abs(said - real) > KERNELS:
            found.append(f"allocator's peak of {said:,} B, torch.profiler counts {real:,}")
    return found


def _code_of(judged: Judged) -> str:
    return source(judged.finding["path"], judged.finding["line"])


def source(file: str, line: int) -> str:
    """The text of a line of a script, without blanks around it; "" where there is none."""
    path = FOLDER / "scripts" / PurePath(file).name
    if not line or not path.is_file():
        return ""
    return path.read_text(encoding="utf-8").splitlines()[line - 1].strip()


def place(file: str, line: int) -> str:
    """A line as "file:line", "" where there is none."""
    return f"{PurePath(file).name}:{line}" if line else ""
