"""`memlint fit SCRIPT`: does it fit into a card, what does it need, how large may a batch be."""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memlint.commands.command_line.behind_script import file_of, given, misplaced, spelled_out
from memlint.commands.command_line.option_names import OPTION_NAME, with_options_as_values
from memlint.commands.running.options import add_bounds, add_nodes, add_sandbox, add_script
from memlint.commands.running.progress import progress_of, say_that_it_ends
from memlint.commands.running.target import static_of, target_of
from memlint.commands.running.trial import expect_simulation
from memlint.commands.terminal import add_color, positive, talk, wants_color
from memlint.errors import SourceError, UsageError
from memlint.project.modules import Modules
from memlint.report.ci.log import shielded
from memlint.runtime.cards import Card, card_of, known, of_size, size_of
from memlint.runtime.parent import folders
from memlint.runtime.parent.arms import Target
from memlint.runtime.parent.fit.fit import Fitting
from memlint.runtime.parent.fit.knob import Knob, find
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.replay import Replayed
from memlint.session import ENOUGH, Fit, Session
from memlint.session.fit import FITS, UNKNOWN
from memlint.session_file import to_json
from memlint.source import files
from memlint.source.text import Source

STEPS = ENOUGH
"""Optimizer steps that are simulated: fewer would not show what grows."""

ALL = "all"
FORMATS = ("text", "markdown", "json")
OWN = ("--card", "--cards", "--budget", "--max-batch", "--max", "--nproc-per-node", "--nnodes")
"""Options that are taken behind SCRIPT too, unless the script spells out one of the same name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint fit`; what follows SCRIPT, and is none of them, belongs to the script."""
    parser.usage = "%(prog)s [options] SCRIPT [ARGS...]\n       %(prog)s SCRIPT [options] -- [ARGS...]"
    add_script(parser)
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    question = parser.add_argument_group("Question")
    question.add_argument(
        "--card",
        type=_card,
        metavar="CARD",
        help="RTX-4090, A100-80GB, H200, T4 ... or a size like 24GiB",
    )
    question.add_argument(
        "--cards",
        type=_cards,
        metavar="CARD,CARD,...|all",
        help="a table over several cards (default without --card: all that are known)",
    )
    question.add_argument(
        "--budget",
        type=_size,
        default=0,
        metavar="SIZE",
        help="a gate: exit code 1 where the script may need more, such as 24GiB",
    )
    question.add_argument(
        "--max-batch",
        "--max",
        dest="largest",
        metavar=OPTION_NAME,
        help="find the largest value that fits: of an option of the script (--batch-size), a name in it "
        "(BATCH), or a keyword of its DataLoader (batch_size); so for a sequence length or an image size",
    )
    changes = parser.add_argument_group("Changes")
    changes.add_argument(
        "--suggest",
        action="store_true",
        help="try what would save memory also where it fits (it is tried where it does not)",
    )
    changes.add_argument("--no-suggest", action="store_true", help="try no changes: one simulation")
    changes.add_argument(
        "--apply", action="store_true", help="write the changes that make it fit, unsafe ones among them"
    )
    running = parser.add_argument_group("Running")
    add_bounds(running, f"{STEPS}")
    running.add_argument(
        "--nproc-per-node", type=positive, default=0, metavar="K",
        help="imagine K ranks, started as by torchrun: the largest is the answer (default: one process)",
    )  # fmt: skip
    add_nodes(running)
    add_sandbox(running)
    running.add_argument(
        "--selected",
        type=_percentage,
        default=100,
        metavar="PERCENT",
        help="how much of a tensor masks, nonzero() and unique() find where its values are not known "
        "(default: 100, the most)",
    )
    running.add_argument(
        "--iterations",
        type=positive,
        default=100,
        metavar="N",
        help="how many iterations a loop makes that goes on as long as values say which are not known "
        "(default: 100)",
    )
    output = parser.add_argument_group("Output")
    output.add_argument("-o", "--output", metavar="SESSION.json", help="save the session")
    output.add_argument("--html", metavar="FILE", help="write a self-contained page")
    output.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    output.add_argument("--no-source", action="store_true", help="leave source lines out of all reports")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_color(output)


def run(options: argparse.Namespace) -> int:
    """Simulate, report, and give the exit code.

    0 it fits (with several cards: one of them; with --budget: within it), 1 it does not, or may not, 2
    memlint could not do its job, or the script ended before that was known. Of an interrupted run, what is
    known is reported, and the code is 128 and the signal.

    Raises:
        MemlintError: torch is missing, the script cannot be read or simulated.
    """
    _take_own_options(options)
    target = _target(options)
    for path in filter(None, (options.output, options.html)):
        files.expect_writable(path)
    cards = _wanted(options)
    knob = _knob(options.largest, target) if options.largest else None
    line = progress_of(options)
    interrupt = Interrupt(say_that_it_ends)
    with folders.temporary("memlint-") as folder:
        fitting = Fitting(target, cards, _texts(target), Path(folder), line, interrupt)
        try:
            with interrupt.watching():
                expect_simulation(fitting.runs, "a simulation")
                static = None if options.no_suggest else static_of(options, target)
                replayed = fitting.run(
                    budget=options.budget, knob=knob, static=static, suggest=options.suggest,
                    by_fixes=options.apply,
                )  # fmt: skip
        finally:
            line.clear()
    code = _conclude(options, replayed)
    if options.apply:
        _apply(fitting.edits, target, replayed.session.fit)
    return interrupt.status if interrupt else code


def _take_own_options(options: argparse.Namespace) -> None:
    """Read options of memlint that stand behind SCRIPT: all before "--", else those that can be no others.

    Raises:
        UsageError: what stands between SCRIPT and "--" are no options of memlint.
    """
    known_here = argparse.ArgumentParser(exit_on_error=False, add_help=False)
    _add_options(known_here)
    words = options.arguments = with_options_as_values(known_here, options.arguments)
    if "--" in words:
        at = words.index("--")
        own, options.arguments = words[:at], words[at + 1 :]
    else:
        own = [word for row in _mine(known_here, options) for word in row]
        for word in own:
            words.remove(word)
    try:
        _, unknown = known_here.parse_known_args(own, options)
    except argparse.ArgumentError as error:
        raise UsageError(str(error)) from error
    if unknown:
        hint = "what the script is given stands behind --"
        raise UsageError(f"{unknown[0]} is no option of memlint fit", hint)


def _mine(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[tuple[str, ...]]:
    """Options among what stands behind SCRIPT that the script spells out nowhere, and cannot know."""
    script = file_of(options.script, os.getcwd()) if options.module else options.script
    folders = [os.getcwd() if options.module else os.path.dirname(script)]
    theirs = spelled_out(script, folders) if script else set()
    lost = {row.words for row in misplaced(parser, options.arguments, script, folders)} if script else set()
    named = [row for row in given(parser, options.arguments) if row[0].partition("=")[0] in OWN]
    mine = [row for row in named if row[0].partition("=")[0] not in theirs]
    return [*mine, *(row for row in lost if row not in mine)]


def _target(options: argparse.Namespace) -> Target:
    options.device, options.device_memory = "simulate", 0
    chosen, options.card = options.card, None
    target = target_of(options)
    options.card = chosen
    # All rules may have a fix that saves something here, those that are advice as well.
    options.select, options.config, options.isolated = ["ALL"], [], False
    own = {"selected": options.selected, "iterations": options.iterations}
    return replace(target, steps=options.steps or STEPS, **own)


def _wanted(options: argparse.Namespace) -> list[Card]:
    """The cards to ask about, the one of --card first; without any, all, or one of the budget's size."""
    first = [options.card] if options.card else []
    if options.cards:
        return list(dict.fromkeys([*first, *options.cards]))
    if first:
        return first
    return [of_size(options.budget)] if options.budget else list(known())


def _script(target: Target) -> str:
    """The script as reports show it, "" for a module that is not one of this folder."""
    path = file_of(target.path, target.folder) if target.is_module else target.path
    shown = os.path.relpath(path, target.folder) if path else ""
    return path if shown.startswith(os.pardir) else shown


def _texts(target: Target) -> Callable[[Sequence[str]], Mapping[str, str]]:
    def texts(modules: Sequence[str]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for path in dict.fromkeys(filter(None, (_script(target), *modules))):
            try:
                found[path] = Source.decode(path, files.read(os.path.join(target.folder, path))).text
            except SourceError as error:
                talk(f"warning: {error}")
        return found

    return texts


def _knob(name: str, target: Target) -> Knob:
    script = _script(target)
    below = os.path.join(target.folder, "")
    behind = Modules(Path(target.root)).behind(Path(target.folder, script)) if script else []
    texts = _texts(target)([str(path).removeprefix(below) for path in behind])
    return find(name, target.arguments, texts, lambda path: os.path.join(target.folder, path))


def _conclude(options: argparse.Namespace, replayed: Replayed) -> int:
    session = replayed.session
    fit = session.fit
    assert fit is not None
    if session.original.failure is not None:
        sys.stderr.write(shielded(replayed.stderr))
    if options.no_source:
        session = replace(session, sources={})
    try:
        _save(session, options)
    finally:
        show(session, options)
    if fit.first.verdict == UNKNOWN or session.errors:
        return 2
    if options.budget:
        return int(not fit.within)
    return int(all(row.verdict != FITS for row in fit.cards))


def _apply(edits: Sequence[tuple[str, str, str]], target: Target, fit: Fit | None) -> None:
    """Write the changes that make it fit, and name those that are to be written by hand.

    Raises:
        SourceError: a file has changed since it was read, or cannot be written.
    """
    for path, before, after in edits:
        absolute = os.path.join(target.folder, path)
        data = files.read(absolute)
        source = Source.decode(path, data)
        if source.text != before:
            raise SourceError(f"{path}: changed since it was read, and left as it is", "run it again")
        files.write(absolute, source.encode(after), data)
        talk(f"{path}: changed")
    if not edits:
        talk("nothing was changed: no fixes are known that make it fit")
    together = fit.together.arms if fit is not None and fit.together is not None else ()
    left = [row for row in (fit and fit.remedies) or () if row.arm in together and not row.applicability]
    for row in left:
        talk(f"to be written by hand: {row.name} ({row.how})")


def _save(session: Session, options: argparse.Namespace) -> None:
    if options.output:
        files.write_report(options.output, json.dumps(to_json(session), indent=1, ensure_ascii=False) + "\n")
    if options.html:
        from memlint.report.session.html import render

        files.write_report(options.html, render(session))


def show(session: Session, options: argparse.Namespace) -> None:
    """Write the answer to stdout in the chosen format."""
    from memlint.report.summary import options_for

    look = options_for(sys.stdout, color=wants_color(options, sys.stdout))
    out = io.StringIO()
    name = "session.json" if options.output_format == "json" else f"fit.{options.output_format}"
    importlib.import_module(f"memlint.report.{name}").render(session, out, look)
    text = out.getvalue()
    sys.stdout.write(text if options.output_format == "json" else shielded(text))


def _card(text: str) -> Card:
    try:
        return card_of(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _cards(text: str) -> list[Card]:
    return list(known()) if text.lower() == ALL else [_card(word) for word in text.split(",") if word]


def _percentage(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to 100, not {text!r}")
    return int(text)


def _size(text: str) -> int:
    size = size_of(text)
    if size is None:
        raise argparse.ArgumentTypeError(f"must be a size like 24GiB, not {text!r}")
    return size
