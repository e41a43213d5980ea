"""What is to be run, and what the static half says of it."""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from memlint.commands.batch import checks_for, project_of
from memlint.commands.command_line.behind_script import file_of
from memlint.commands.terminal import overrides, talk
from memlint.config import Layer, resolve
from memlint.edit.apply import fix_text
from memlint.engine import check as engine
from memlint.engine import one_cause
from memlint.errors import SourceError, UsageError
from memlint.finding import FileReport, Finding
from memlint.project.gate import is_notebook
from memlint.project.modules import Modules
from memlint.runtime import host, ranks
from memlint.runtime.cards import Card, card_of, of_size
from memlint.runtime.parent.arms import DEFAULT_CARD, Target
from memlint.runtime.parent.replay import Static
from memlint.source import files
from memlint.source.text import Source

MEMORY_SHARE = 0.9
"""How much of the machine's memory a run may hold where no limit is given."""


def target_of(options: argparse.Namespace) -> Target:
    """What is to be run, as the command line has it.

    Raises:
        UsageError: there is no torch, no such script or module, or too little memory for the ranks.
    """
    _expect_torch()
    folder = os.getcwd()
    path = options.script
    if options.module:
        # Only the first name: to find the others Python would have to import it.
        if PathFinder.find_spec(path.partition(".")[0], [folder, *sys.path]) is None:
            raise UsageError(f"{path}: no such module", "give the name that `python -m` would run from here")
    else:
        path = os.path.abspath(path)
        if not os.path.isfile(path):
            found = "it is a folder" if os.path.isdir(path) else "no such script"
            raise UsageError(f"{options.script}: {found}", "give the file that python would run")
        if is_notebook(path):
            hint = "convert it: jupyter nbconvert --to script"
            raise UsageError(f"{options.script}: only scripts can be replayed, not notebooks", hint)
    start = Path(folder) if options.module else Path(path).parent
    limit = options.memory_limit or int(MEMORY_SHARE * host.total_bytes())
    if options.device != "simulate" and options.nproc_per_node * ranks.RANK_BYTES > limit:
        most = limit // ranks.RANK_BYTES
        raise UsageError(f"--nproc-per-node {options.nproc_per_node}: at most {most} ranks fit into memory")
    return Target(
        path=path,
        is_module=options.module,
        arguments=(options.script, *options.arguments),
        folder=folder,
        root=os.path.join(project_of(start), ""),
        steps=options.steps,
        timeout=options.timeout,
        memory_limit=limit,
        device=options.device,
        contained=options.sandbox,
        ranks=options.nproc_per_node or (1 if options.nnodes > 1 else 0),
        nodes=options.nnodes,
        card=_card(options),
        device_memory=options.device_memory if options.card else 0,
    )


def _card(options: argparse.Namespace) -> Card:
    if options.card:
        return card_of(options.card)
    return of_size(options.device_memory, bare=True) if options.device_memory else DEFAULT_CARD


def _expect_torch() -> None:
    if reason := host.why_no_replay():
        raise UsageError(reason, "use WSL; `memlint report` and `annotate` show sessions on every system")
    found = importlib.util.find_spec("torch")
    # A folder of that name in the current one is none.
    if found is None or found.origin is None:
        python = shlex.quote(sys.executable)
        hint = f"`{python} -m pip install torch`, or install memlint where torch is"
        raise UsageError(f"running a script needs torch, but {python}, which runs memlint, has none", hint)


def static_of(options: argparse.Namespace, target: Target) -> Static:
    """The static half, by the settings of the target's folder and by the options."""
    given = [("select", "--select", tuple(options.select))] if options.select else []
    # Advice is what somebody wants who runs out of memory, and here it is measured.
    chosen = replace(overrides(options, given), defaults=Layer("default", {"advice": True}))
    said: set[str] = set()

    def findings_of(path: str, text: str) -> tuple[Finding, ...]:
        settings = resolve(Path(target.folder, path).parent, chosen)
        # Whoever replays a test wants it judged.
        report = engine.check(text, path, replace(checks_for(path, settings), check_tests=True))
        problem = report.failed.partition("\n")[0]
        if problem and problem not in said:
            said.add(problem)
            talk(f"warning: {problem}")
        return tuple(f for f in report.findings if not f.code.startswith("MEM00"))

    def check(path: str) -> tuple[str, tuple[Finding, ...]]:
        try:
            text = Source.decode(path, files.read(os.path.join(target.folder, path))).text
        except SourceError as error:
            talk(f"warning: {error}")
            return "", ()
        return text, findings_of(path, text)

    def combine(path: str, text: str, unsafe: bool, without: frozenset[str]) -> str:
        def wanted(new: str) -> list[Finding]:
            return [f for f in findings_of(path, new) if f.fingerprint not in without]

        return fix_text(text, path, wanted, unsafe=unsafe).text

    def ahead() -> list[str]:
        script = file_of(target.path, target.folder) if target.is_module else target.path
        behind = Modules(Path(target.root)).behind(Path(script)) if script else []
        below = os.path.join(target.folder, "")
        return [str(path).removeprefix(below) for path in behind]

    return Static(ahead, check, one_cause.joined, combine, describe)


def describe(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings in the shape of `check --output-format json`."""
    from memlint.report.json import render
    from memlint.report.summary import RenderOptions, summarise

    reports = [FileReport(finding.path, (finding,)) for finding in findings]
    out = io.StringIO()
    render(reports, summarise(reports), out, RenderOptions())
    found: list[dict[str, Any]] = json.loads(out.getvalue())["findings"]
    return found
