"""`memlint replay SCRIPT`: run the script, measure, and judge each static finding."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from memlint.commands.command_line.behind_script import corrected, file_of, misplaced
from memlint.commands.report import FORMATS, show
from memlint.commands.running.options import GIB, add_bounds, add_nodes, add_sandbox, add_script, gibibytes
from memlint.commands.running.progress import progress_of, say_that_it_ends
from memlint.commands.running.target import static_of, target_of
from memlint.commands.running.trial import expect_simulation
from memlint.commands.terminal import add_color, add_config, positive, rule_selectors, talk
from memlint.errors import UsageError
from memlint.report.ci.log import shielded
from memlint.runtime.parent import folders
from memlint.runtime.parent.arms import DEFAULT_CARD, Target
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.replay import Replay, Replayed
from memlint.session import Session
from memlint.session_file import to_json
from memlint.source import files

SCRIPT_FAILED = 3
LAST_WORDS = 10
"""Lines of stdout that are shown of a script which failed without a word on stderr."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint replay`; what follows SCRIPT belongs to the script."""
    parser.usage = "%(prog)s [options] SCRIPT [ARGS...]"
    add_script(parser)
    running = parser.add_argument_group("Running")
    add_bounds(running, "25, and up to 250 as long as they take a few seconds")
    _add_devices(running)
    running.add_argument(
        "--fix",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also replay the script with each fix, and compare (default: yes)",
    )
    add_sandbox(running)
    _add_output(parser)


def _add_devices(running: argparse._ArgumentGroup) -> None:
    running.add_argument(
        "--device",
        choices=("auto", "cuda", "cpu", "simulate"),
        default="auto",
        help="cuda insists on a CUDA device, cpu hides them from the script, simulate predicts the "
        "memory of one that need not be there (default: what the script uses)",
    )
    running.add_argument(
        "--card",
        metavar="NAME",
        help="the GPU to simulate: RTX-4090, A100-80GB, H200, T4 ... or a size (24GiB)",
    )
    running.add_argument(
        "--device-memory",
        type=gibibytes,
        default=0,
        metavar="GIB",
        help="what torch's allocator gets of the GPU of --device simulate "
        f"(default: all that the card leaves it, {DEFAULT_CARD.usable // GIB} without --card)",
    )
    running.add_argument(
        "--nproc-per-node",
        type=positive,
        default=0,
        metavar="K",
        help="start K ranks with torch's launcher, as torchrun does, and measure each; with --device "
        "simulate, imagine them (default: no launcher)",
    )
    add_nodes(running)


def _add_output(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("Rule selection")
    rules.add_argument(
        "--select",
        type=rule_selectors,
        action="extend",
        metavar="RULES",
        help="codes, prefixes, names or ALL (default: what is configured, advice included)",
    )
    output = parser.add_argument_group("Output")
    output.add_argument("-o", "--output", metavar="SESSION.json", help="save the session")
    output.add_argument("--html", metavar="FILE", help="write a self-contained page")
    output.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    output.add_argument("--no-source", action="store_true", help="leave source lines out of all reports")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_color(output)
    add_config(parser.add_argument_group("Miscellaneous"))


def run(options: argparse.Namespace) -> int:
    """Replay, report, and give the exit code.

    0 nothing confirmed and no leak, 1 something confirmed or a leak, 2 memlint could not do its job, 3 the
    script failed; of an interrupted replay, what is known is reported, and the code is 128 and the signal.

    Raises:
        MemlintError: torch is missing, the script cannot be read, or no run could be measured.
    """
    target = target_of(options)
    for path in filter(None, (options.output, options.html)):
        files.expect_writable(path)
    for name, given in (("--device-memory", options.device_memory), ("--card", options.card)):
        if given and not target.simulated:
            raise UsageError(f"{name} describes a simulated GPU", "add --device simulate")
    if target.nodes > 1 and not target.simulated:
        raise UsageError("--nnodes starts no other machines", "add --device simulate")
    expect_own_options(options, target, add_arguments)
    line = progress_of(options)
    interrupt = Interrupt(say_that_it_ends)
    with folders.temporary("memlint-") as folder:
        replay = Replay(target, static_of(options, target), Path(folder), line, line.announce, interrupt)
        try:
            with interrupt.watching():
                if target.simulated:
                    expect_simulation(replay.runs, "--device simulate")
                replayed = replay.run(fixes=options.fix)
        finally:
            line.clear()
    code = _conclude(options, replayed)
    return interrupt.status if interrupt else code


def expect_own_options(
    options: argparse.Namespace, target: Target, add: Callable[[argparse.ArgumentParser], None]
) -> None:
    """Say which options stand behind SCRIPT although only memlint knows them.

    Raises:
        UsageError: the script would end because of one.
    """
    known = argparse.ArgumentParser()
    add(known)
    script = file_of(target.path, target.folder) if target.is_module else target.path
    folders = [target.folder if target.is_module else os.path.dirname(script)]
    found = misplaced(known, options.arguments, script, folders) if script else []
    if not found:
        return
    tail = [options.script, *options.arguments]
    given = sys.argv[1 : -len(tail)] if sys.argv[-len(tail) :] == tail else ["replay"]
    right = corrected(given, found, options.script, options.arguments)
    names = ", ".join(row.words[0].partition("=")[0] for row in found)
    stands = f"{names} behind {options.script} {'goes' if len(found) == 1 else 'go'} to the script"
    if refuses := next((row.parser for row in found if row.parser), ""):
        raise UsageError(f"{stands}, whose {refuses} does not know that", right)
    talk(f"warning: {stands}, which does not read it (meant for memlint: {right})")


def _conclude(options: argparse.Namespace, replayed: Replayed) -> int:
    session = replayed.session
    failure = session.original.failure
    if failure is not None:
        # A script that prints why it gives up, and exits, has left no traceback.
        last = replayed.stderr or "".join(replayed.stdout.splitlines(keepends=True)[-LAST_WORDS:])
        sys.stderr.write(shielded(last))
    if options.no_source:
        session = replace(session, sources={})
    try:
        _save(session, options)
    finally:
        # What took minutes to measure is shown even where a disk is full.
        show(session, options)
    for error in session.errors:
        talk(f"error: {error}")
    if session.errors:
        return 2
    if failure is not None and not failure.out_of_memory:
        on = f" on rank {session.original.failed_on}" if session.original.ranks else ""
        if replayed.died:
            talk(f"error: {failure.message}")
            return SCRIPT_FAILED
        if failure.is_doubtful:
            talk(f"the simulation ended at {failure.file}:{failure.line}: {failure.message}")
            return 2
        why = " (a replay gives it no standard input)" if failure.type == "EOFError" else ""
        talk(f"the script failed{on}: {failure.in_short}{why}")
        return SCRIPT_FAILED
    confirmed = any(judged.verdict.status == "confirmed" for judged in session.findings)
    # A script that does not fit is no clean one, also where no finding says why.
    return int(confirmed or bool(session.unbounded) or failure is not None)


def _save(session: Session, options: argparse.Namespace) -> None:
    """Write the files that were asked for."""
    if options.output:
        files.write_report(options.output, json.dumps(to_json(session), indent=1, ensure_ascii=False) + "\n")
    if options.html:
        from memlint.report.session.html import render

        files.write_report(options.html, render(session))
