"""Hand-made findings and small scripts, so that replay is tested apart from the analyser."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import textwrap
import time
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from memlint.__main__ import main
from memlint.engine import one_cause
from memlint.finding import Applicability, Edit, Finding, Fix, Severity, Span
from memlint.runtime.parent.arms import Request, Target
from memlint.runtime.parent.arms import run as run_arm
from memlint.runtime.parent.replay import Replay, Replayed, Static
from memlint.session import Arm
from memlint.source.text import apply_edits
from tests.runtime.made import claim_of

# Tests run side by side: more threads than cores in every child would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")

LOOP = """
import torch, torch.nn as nn
net = nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), 0.1)
def step():
    loss = net(torch.randn(4, 8)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
"""A net and a function that trains it by one step, for scripts to begin with."""


def script(folder: Path, text: str, name: str = "train.py") -> Path:
    """Write a dedented script."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return path


def target(file: Path, *arguments: str, **changes: Any) -> Target:
    """A target for a script, run from its own folder."""
    values: dict[str, Any] = {
        "path": str(file),
        "is_module": False,
        "arguments": (file.name, *arguments),
        "folder": str(file.parent),
        "root": os.path.join(file.parent, ""),
        "steps": 12,
        "timeout": 100.0,
        "memory_limit": 0,
        "device": "auto",
        "contained": True,
    }
    return Target(**{**values, **changes})


def measure(file: Path, workshop: Path, *arguments: str, probe: str = "tracker", **changes: Any) -> Arm:
    """One arm of a script; fails the test with the child's stderr when there is no result."""
    wanted = {"truth", "watch", "checks", "overlay", "look", "offers", "changes"}
    request = Request("arm", "arm", probe, **{k: v for k, v in changes.items() if k in wanted})
    rest = {k: v for k, v in changes.items() if k not in wanted}
    outcome = run_arm(target(file, *arguments, **rest), request, workshop, lambda steps: None)
    assert outcome.arm is not None, outcome.problem + outcome.stderr
    return outcome.arm


def memlint(folder: Path, *arguments: str, **environment: str) -> SimpleNamespace:
    """The command line in this process, run from `folder`: its returncode, stdout and stderr.

    With the fixture `forked` its children need import neither memlint nor torch.
    """
    variables = {"NO_COLOR": "1", **environment}
    words = ["memlint", *arguments]
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        with (
            chdir(folder), patch.dict(os.environ, variables), patch.object(sys, "argv", words),
            redirect_stdout(out), redirect_stderr(err),
        ):  # fmt: skip
            status = main(arguments)
        for stream in (out, err):
            stream.seek(0)
        return SimpleNamespace(returncode=status, stdout=out.read(), stderr=err.read())


def is_gone(pid: int) -> bool:
    """Whether a process has ended (it may be a zombie where nobody waits for orphans), or does so soon."""
    status = Path(f"/proc/{pid}/stat")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if status.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.1)
    return False


def line_of(text: str, code: str) -> int:
    """The number of the first line that contains `code`."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if code in line)


def finding(
    path: Path,
    code: str,
    claim: str,
    old: str,
    new: str | None = None,
    *,
    applicability: Applicability = Applicability.SAFE,
    formula: str = "",
    **named: object,
) -> Finding:
    """A finding on the first line with `old`, whose fix writes `new` in its place (None: no fix).

    `named` are fields of its claim, beside those that the rule's own claim has.
    """
    text = path.read_text(encoding="utf-8")
    number = line_of(text, old)
    column = text.splitlines()[number - 1].index(old) + 1
    span = Span(number, column, number, column + len(old))
    fix = Fix(applicability, "change it", (Edit(span, new),)) if new is not None else None
    return Finding(
        code, "a-rule", Severity.WARNING, "a message", path.name, span, f"{code}{number}", fix=fix,
        claim=claim_of(code, claim, formula, **named),
    )  # fmt: skip


def combined(findings: Sequence[Finding], text: str, unsafe: bool) -> str:
    """The text with all fixes that may be applied."""
    allowed = {Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])}
    fixes = [f.fix for f in findings if f.fix and f.fix.applicability in allowed]
    return apply_edits(text, [edit for fix in fixes for edit in fix.edits])


def static(path: Path, findings: Sequence[Finding]) -> Static:
    """The static half of a replay, with findings made by hand."""

    def check(name: str) -> tuple[str, tuple[Finding, ...]]:
        text = (path.parent / name).read_text(encoding="utf-8")
        return text, tuple(f for f in findings if f.path == name)

    def combine(name: str, text: str, unsafe: bool, without: frozenset[str]) -> str:
        return combined(
            [f for f in findings if f.path == name and f.fingerprint not in without], text, unsafe
        )

    return Static(lambda: [path.name], check, one_cause.joined, combine, describe)


def describe(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings as JSON, as far as the reports read them."""
    return [
        {
            "code": f.code, "name": f.name, "severity": f.severity.value, "message": f.message,
            "path": f.path, "cell": None, **asdict(f.span), "fingerprint": f.fingerprint, "url": "",
            "notes": [], "fix": None, "alternatives": [], "verdict": None,
            "claim": json.loads(json.dumps(asdict(f.claim))) if f.claim else None,
        }
        for f in findings
    ]  # fmt: skip


def replay(
    path: Path, workshop: Path, findings: Sequence[Finding], *, fixes: bool = True, **changes: Any
) -> Replayed:
    """A whole replay of a script with hand-made findings."""
    made = Replay(target(path, **changes), static(path, findings), workshop)
    return made.run(fixes=fixes)
