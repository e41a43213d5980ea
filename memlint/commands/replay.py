"""`memlint replay SCRIPT`: run the script, measure, and judge each static finding."""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, TextIO

from memlint.commands.batch import checks_for, project_of
from memlint.commands.command_line.behind_script import corrected, file_of, misplaced
from memlint.commands.report import FORMATS, show
from memlint.commands.terminal import add_color, add_config, overrides, positive, rule_selectors, talk
from memlint.config import Layer, resolve
from memlint.edit.apply import fix_text
from memlint.engine import check as engine
from memlint.engine import one_cause
from memlint.errors import SourceError, UsageError
from memlint.finding import FileReport, Finding
from memlint.project.gate import is_notebook
from memlint.project.modules import Modules
from memlint.report.ci.log import shielded
from memlint.report.session.next_command import TIMEOUT
from memlint.runtime import host, ranks
from memlint.runtime.cards import Card, card_of, of_size
from memlint.runtime.parent.arms import DEFAULT_CARD, Target
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.plan import Now, in_minutes
from memlint.runtime.parent.replay import Replay, Replayed, Static
from memlint.runtime.simulate import why_not
from memlint.session import Session
from memlint.session_file import to_json
from memlint.source import files
from memlint.source.text import Source

SCRIPT_FAILED = 3
LAST_WORDS = 10
"""Lines of stdout that are shown of a script which failed without a word on stderr."""

MEMORY_SHARE = 0.9
GIB = 1 << 30


def add_script(parser: argparse.ArgumentParser) -> None:
    """SCRIPT and its arguments."""
    parser.add_argument("script", metavar="SCRIPT", help="the training script, or with -m a module")
    rest = parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="passed to the script"
    )
    rest.required = False


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


def add_sandbox(running: argparse._ArgumentGroup) -> None:
    """`--sandbox` and `--no-sandbox`."""
    running.add_argument(
        "--sandbox",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep what the script writes out of the way, refuse removals (default: yes)",
    )


def add_bounds(running: argparse._ArgumentGroup, steps: str) -> None:
    """The options that say what is run, and for how long; `steps` are the default in words."""
    running.add_argument("-m", "--module", action="store_true", help="SCRIPT names a module, as in python -m")
    running.add_argument(
        "--steps",
        type=positive,
        default=0,
        metavar="N",
        help=f"optimizer steps to look at (default: {steps})",
    )
    running.add_argument(
        "--timeout", type=_seconds, default=TIMEOUT, metavar="SECONDS", help="for each run (default: 300)"
    )
    running.add_argument(
        "--memory-limit",
        type=_gibibytes,
        default=0,
        metavar="GIB",
        help="end a run that holds more host memory (default: 90 %% of the machine's)",
    )


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
        type=_gibibytes,
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


def add_nodes(running: argparse._ArgumentGroup) -> None:
    """`--nnodes`."""
    running.add_argument(
        "--nnodes", type=positive, default=1, metavar="N",
        help="simulated machines with that many ranks each (default: 1)",
    )  # fmt: skip


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
    if target.simulated and (reason := why_not()):
        raise UsageError(f"--device simulate cannot start here: {reason}")
    expect_own_options(options, target, add_arguments)
    line = progress_of(options)
    interrupt = Interrupt(say_that_it_ends)
    with tempfile.TemporaryDirectory(prefix="memlint-", ignore_cleanup_errors=True) as folder:
        replay = Replay(target, static_of(options, target), Path(folder), line, line.announce, interrupt)
        try:
            with interrupt.watching():
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


def say_that_it_ends() -> None:
    """Tell a user who has interrupted memlint that its report is to come."""
    # From a signal handler, and stderr may be in use: its buffer is not to be touched.
    os.write(2, b"\nmemlint: interrupted: reporting what was measured; interrupt again to leave at once\n")


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


def _expect_torch() -> None:
    if reason := host.why_no_replay():
        raise UsageError(reason, "use WSL; `memlint report` and `annotate` show sessions on every system")
    found = importlib.util.find_spec("torch")
    # A folder of that name in the current one is none.
    if found is None or found.origin is None:
        python = shlex.quote(sys.executable)
        hint = f"`{python} -m pip install torch`, or install memlint where torch is"
        raise UsageError(f"replay needs torch, but {python}, which runs memlint, has none", hint)


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


def static_of(options: argparse.Namespace, target: Target) -> Static:
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


class Progress:
    """One line on a terminal that says which run is going on, how far it is, and how long the rest takes.

    The plan is said on any stream, a line of its own.
    """

    def __init__(self, out: TextIO, *, is_terminal: bool) -> None:
        self._out = out
        self._is_terminal = is_terminal
        self._last = ""

    def __call__(self, now: Now) -> None:
        if not self._is_terminal:
            return
        count = f"run {now.number} of {now.of}: " if now.of > 1 else ""
        left = f", about {in_minutes(now.left)} left" if now.left is not None else ""
        ends = f": step {now.steps}{left}"
        room = shutil.get_terminal_size().columns - 1 - len(count + ends)
        title = now.title if len(now.title) <= room else f"{now.title[: max(room - 3, 0)]}..."
        shown = f"{count}{title}{ends}"
        if shown != self._last:
            self._last = shown
            self._out.write(f"\r\x1b[2K{shown}")
            self._out.flush()

    def announce(self, plan: str) -> None:
        """Say the plan."""
        self.clear()
        self._out.write(f"memlint: {plan}\n")
        self._out.flush()

    def clear(self) -> None:
        """Wipe the line."""
        if self._last:
            self._last = ""
            self._out.write("\r\x1b[2K")
            self._out.flush()


def progress_of(options: argparse.Namespace) -> Progress:
    """Says how far the runs are, unless the user wants it quiet."""
    if options.quiet:
        return Progress(io.StringIO(), is_terminal=False)
    return Progress(sys.stderr, is_terminal=sys.stderr.isatty())


def _seconds(text: str) -> float:
    return _above_zero(text, "seconds")


def _gibibytes(text: str) -> int:
    return int(_above_zero(text, "GiB") * GIB)


def _above_zero(text: str, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of {unit} above 0, not {text!r}")
    return value
