"""The one command that helps most after a replay, ready to be pasted into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlint.project.tests import is_test
from memlint.report.session.text import effect
from memlint.session import LEAST_STEPS, TIME_LIMIT, Judged, Session

TIMEOUT = 300.0
"""What `memlint replay` takes without --timeout, in seconds."""

GIB = 1 << 30
SAFE = ("safe", "repair")
HELPS = ("confirmed", "host_only")


@dataclass(frozen=True, slots=True)
class Next:
    """A command line, and what it is good for."""

    command: str
    why: str


def next_command(session: Session) -> Next | None:
    """The first of these that would change something; None where none would."""
    return _longer(session) or _fix(session) or _larger(session) or _explain(session) or _further(session)


def _longer(session: Session) -> Next | None:
    first = session.original
    if not first.stopped.startswith(TIME_LIMIT) or len(first.steps) >= _steps(session):
        return None
    limit = 4 * float(session.options.get("timeout", TIMEOUT))
    return Next(again(session, timeout=limit), "the time limit cut the run short")


def _fix(session: Session) -> Next | None:
    """The safe fixes that helped; with the unsafe ones where one of those saves most."""
    helps = [row for row in session.findings if row.verdict.status in HELPS and offered(row.finding)]
    if not helps:
        return None
    is_safe = offered(max(helps, key=lambda row: effect(row.verdict)).finding, SAFE)
    rows = [row for row in helps if offered(row.finding, SAFE)] if is_safe else helps
    codes = ",".join(sorted({row.finding["code"] for row in rows}))
    paths = sorted({row.finding["path"] for row in rows})
    # Too often does no harm: the option only matters in tests, and these findings are to be fixed there too.
    in_tests = any(is_test(Path(path).absolute().as_posix(), None) for path in paths)
    how = [*([] if is_safe else ["--unsafe-fixes"]), *(["--check-tests"] if in_tests else [])]
    what = ["memlint", "check", "--fix", *how, "--select", codes, *paths]
    caution = "" if is_safe else "; what saves most may change results"
    return Next(shlex.join(what), f"applies what the runs have confirmed{caution}")


def _larger(session: Session) -> Next | None:
    """A script that ran out of memory on a GPU says how much it needs once there is enough."""
    failure, options = session.original.failure, session.options
    if failure is None or not failure.out_of_memory or not session.original.device.endswith("cuda:0"):
        return None
    had = options.get("device_memory") or session.original.cuda.get("device_total", 0)
    if not had:
        return None
    return Next(
        again(session, device="simulate", card="", device_memory=4 * had),
        "shows how much memory it would need",
    )


def _explain(session: Session) -> Next | None:
    helps = [row for row in session.findings if row.verdict.status in HELPS]
    if not helps:
        return None
    row = max(helps, key=lambda row: effect(row.verdict))
    return Next(shlex.join(["memlint", "rule", row.finding["code"]]), "says what to do instead")


def _further(session: Session) -> Next | None:
    """Verdicts that a run without --no-fix, or with more steps, would give."""
    first = session.original
    if first.failure is not None:
        return None
    if not session.options.get("fixes", True) and any(offered(r.finding) for r in session.findings):
        return Next(again(session), "replays the fixes too, and judges the findings")
    wanted = any(row.verdict.status == "not_reached" for row in session.findings)
    if wanted and first.stopped[:1].isdigit():
        return Next(again(session, steps=4 * _steps(session)), "reaches more of the lines")
    return None


def _steps(session: Session) -> int:
    """The steps that were to be looked at; the least of them where that was left to the replay."""
    return int(session.options.get("steps") or LEAST_STEPS)


def offered(finding: dict[str, Any], kinds: Sequence[str] = (*SAFE, "unsafe")) -> bool:
    """Whether a finding of a session has a fix that `memlint check --fix` would write."""
    fix = finding.get("fix")
    return isinstance(fix, dict) and fix.get("applicability") in kinds and bool(fix.get("edits"))


def again(session: Session, **changes: Any) -> str:
    """The command line of this replay, with some options changed."""
    options = {**session.options, **changes}
    words = ["memlint", "replay"]
    if options.get("steps", 0) not in (0, LEAST_STEPS):
        words += ["--steps", str(options["steps"])]
    if options.get("timeout", TIMEOUT) != TIMEOUT:
        words += ["--timeout", f"{options['timeout']:g}"]
    if options.get("device", "auto") != "auto":
        words += ["--device", options["device"]]
    if options.get("card"):
        words += ["--card", options["card"]]
    elif options.get("device_memory"):
        words += ["--device-memory", f"{options['device_memory'] / GIB:g}"]
    if options.get("nproc_per_node"):
        words += ["--nproc-per-node", str(options["nproc_per_node"])]
    if options.get("nnodes", 1) > 1:
        words += ["--nnodes", str(options["nnodes"])]
    if not options.get("sandbox", True):
        words.append("--no-sandbox")
    words += ["-m"] if options.get("module") else []
    return shlex.join([*words, session.script, *session.arguments])


def judged_fix(row: Judged) -> dict[str, Any] | None:
    """The first fix of a finding that changes the file, as the session has it."""
    offers = [row.finding.get("fix"), *(row.finding.get("alternatives") or ())]
    return next((fix for fix in offers if offered({"fix": fix})), None)
