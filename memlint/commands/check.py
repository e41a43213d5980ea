"""`memlint check`: paths in, findings out, fixes applied or shown.

The engine is imported only when there is a file for it: most files of a commit have nothing to do with torch.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from memlint.commands.checking.baseline import Against, add_baseline, path_of
from memlint.commands.checking.candidates import Sorted, sort_out
from memlint.commands.checking.outputs import Output, add_outputs, outputs, write
from memlint.commands.checking.progress import Progress
from memlint.commands.terminal import (
    add_color,
    add_config,
    add_rule_pack,
    overrides,
    positive,
    rule_selectors,
    talk,
    wants_color,
)
from memlint.config import IN_TEXT, Overrides, Settings, parse_version, resolve
from memlint.errors import UsageError
from memlint.finding import FileReport
from memlint.plain import clean
from memlint.source import files

if TYPE_CHECKING:
    from memlint.commands.batch import Mode, Result

STDIN = "<stdin>"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint check`, in the groups of its help."""
    parser.usage = "memlint check [options] [PATH ...]"
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: .), or - for stdin"
    )
    _add_rules(parser.add_argument_group("Rule selection"))
    fixing = parser.add_argument_group("Fixing")
    fixing.add_argument(
        "--fix", action="store_true", help="apply safe fixes, and repairs of code that always fails"
    )
    fixing.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: unsafe fixes too")
    fixing.add_argument(
        "--fix-only", action="store_true", help="like --fix, but do not report what is left, and exit with 0"
    )
    fixing.add_argument("--diff", action="store_true", help="print what would change, and write nothing")
    fixing.add_argument(
        "--add-ignore",
        nargs="?",
        metavar="REASON",
        help="write a suppression comment for every finding, with --diff only print them",
    )
    add_baseline(parser.add_argument_group("Old findings"))
    chosen = parser.add_argument_group("File selection")
    chosen.add_argument(
        "--force-exclude", action="store_true", help="apply `exclude` also to files named on the command line"
    )
    chosen.add_argument(
        "--show-files", action="store_true", help="print the files that would be checked, and exit"
    )
    chosen.add_argument(
        "--show-settings", action="store_true", help="print the settings for the first path, and exit"
    )
    chosen.add_argument("--stdin-filename", metavar="PATH", help="check stdin as if it were this file")
    _add_output(parser.add_argument_group("Output"))
    other = parser.add_argument_group("Miscellaneous")
    add_config(other)
    other.add_argument("--no-cache", action="store_true", help="check every file again, and cache nothing")
    other.add_argument(
        "-j",
        "--jobs",
        type=positive,
        default=0,
        metavar="N",
        help="number of processes (default: by the number of files)",
    )
    other.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    other.add_argument("--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    other.add_argument(
        "--exit-non-zero-on-fix", action="store_true", help="exit with 1 when something was fixed"
    )


def _add_rules(rules: argparse._ArgumentGroup) -> None:
    selectors = "codes, prefixes, names, all, training or errors, separated by commas"
    rules.add_argument("--select", type=rule_selectors, action="extend", metavar="RULES", help=selectors)
    rules.add_argument(
        "--extend-select",
        type=rule_selectors,
        action="extend",
        metavar="RULES",
        help="rules to check beside those",
    )
    rules.add_argument(
        "--ignore", type=rule_selectors, action="extend", metavar="RULES", help="rules to leave out"
    )
    add_rule_pack(rules)
    rules.add_argument(
        "--advice", action="store_const", const=True, help="also report findings of severity advice"
    )
    rules.add_argument(
        "--check-tests",
        action="store_const",
        const=True,
        help="check tests, benchmarks and smoke runs in full, not only for what makes them fail",
    )
    rules.add_argument(
        "--torch-version",
        type=_version,
        metavar="VERSION",
        help="the version of torch that the scripts run on",
    )


def _add_output(output: argparse._ArgumentGroup) -> None:
    add_outputs(output)
    output.add_argument("--statistics", action="store_true", help="print counts per rule instead of findings")
    output.add_argument(
        "--full", action="store_true", help="print every finding in full, however many a rule has"
    )
    add_color(output)
    output.add_argument("-q", "--quiet", action="store_true", help="print only findings and errors")
    output.add_argument("-v", "--verbose", action="store_true", help="print the traceback of internal errors")


def run(options: argparse.Namespace) -> int:
    """Check, report, and give the exit code: 0 clean, 1 findings, 2 could not do the job.

    Raises:
        MemlintError: options or configuration cannot be used.
    """
    options.fix = options.fix or options.fix_only
    if options.write_baseline and (options.fix or options.diff or options.add_ignore is not None):
        raise UsageError("--write-baseline cannot be combined with changes to files", "make them first")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes does nothing by itself", "add --fix or --diff")
    if options.add_ignore is not None and (options.fix or options.unsafe_fixes):
        raise UsageError("--add-ignore cannot be combined with fixes", "fix first, then ignore what is left")
    chosen = overrides(options, _given(options))
    settings_of = _settings_by_folder(chosen)
    paths = options.paths or ["."]
    if options.show_settings:
        from memlint.commands import config as config_command

        config_command.show(resolve(_folder(paths[0]), chosen))
        return 0
    if _from_stdin(options):
        return _check_stdin(options, settings_of)
    settings = resolve(_folder(paths[0]), chosen)
    wanted = outputs(options, settings.output_format)
    against = Against(path_of(options, settings), settings_of)
    discover = partial(
        files.discover, paths, partial(_is_excluded, settings_of), force_exclude=options.force_exclude
    )
    if options.watch:
        from memlint.commands.checking.watch import watch

        again = [word for word in options.command_line if word != "--watch"]
        return watch(again, lambda: [file.path for file in discover().candidates])
    found = discover()
    for problem in found.problems:
        talk(f"error: {problem}")
    if not options.quiet:
        for warning in found.warnings:
            talk(f"warning: {warning}")
    if options.show_files:
        names = "".join(f"{clean(file.path)}\n" for file in found.candidates)
        write("", sys.stdout, lambda out: _put(names, out), is_text=True)
        return 2 if found.problems else 0
    files_found = sort_out(found.candidates, settings_of)
    results = _check_files(files_found, options, settings_of) if files_found.paths else []
    reports = files_found.reports
    return _conclude(options, wanted, against, results, reports, sys.stdout, trouble=bool(found.problems))


def _given(options: argparse.Namespace) -> list[tuple[str, str, object]]:
    """(key, option, value) of the settings that the command line names."""
    keys = ("select", "extend-select", "ignore", "rule-packs", "advice", "check-tests", "torch-version")
    values = [(key, getattr(options, key.replace("-", "_"))) for key in keys]
    return [
        (key, f"--{key}".replace("packs", "pack"), tuple(value) if isinstance(value, list) else value)
        for key, value in values
        if value is not None
    ]


def _settings_by_folder(chosen: Overrides) -> Callable[[str], Settings]:
    """A function from the path of a file to its settings, each folder resolved once."""

    @cache
    def of_folder(folder: Path) -> Settings:
        return resolve(folder, chosen)

    return lambda path: of_folder(Path(path).absolute().parent)


def _is_excluded(settings_of: Callable[[str], Settings], path: str) -> bool:
    settings = settings_of(path)
    return files.matches(path, settings.globs_root, settings.exclude)


def _check_files(
    found: Sorted, options: argparse.Namespace, settings_of: Callable[[str], Settings]
) -> list[Result]:
    from memlint.commands.batch import Task, run_all, task_for

    mode, kept, paths = _mode(options), not options.no_cache, found.paths
    folders = [os.path.normpath(path) for path in options.paths or ["."] if os.path.isdir(path)]

    def task(path: str) -> Task:
        made = task_for(path, settings_of(path), mode, kept=kept, given=_given_above(path, folders))
        return replace(made, checks=made.checks.of_packs()) if path in found.of_packs else made

    progress = Progress(0 if options.quiet else len(paths), sys.stderr)
    try:
        return run_all([task(path) for path in paths], options.jobs, progress)
    finally:
        progress.clear()


def _given_above(path: str, folders: Sequence[str]) -> str:
    """The nearest of the folders on the command line that a file lies below, "" when it was named itself."""
    above = [folder for folder in folders if folder == "." or path.startswith(folder + os.sep)]
    return max(above, key=len, default="")


def _mode(options: argparse.Namespace) -> Mode:
    from memlint.commands.batch import Mode

    reason = None if options.add_ignore is None else " ".join(options.add_ignore.split())
    return Mode(options.fix and not options.diff, options.diff, options.unsafe_fixes, reason)


def _from_stdin(options: argparse.Namespace) -> bool:
    if "-" in options.paths and options.paths != ["-"]:
        raise UsageError("`-` cannot be mixed with other paths", "run memlint twice")
    if options.stdin_filename and options.paths not in ([], ["-"]):
        raise UsageError("--stdin-filename goes with `-`, not with paths", "drop one of them")
    return options.paths == ["-"] or bool(options.stdin_filename)


def _check_stdin(options: argparse.Namespace, settings_of: Callable[[str], Settings]) -> int:
    """One text from stdin. Where it is fixed, stdout is the fixed text and the report goes to stderr."""
    from memlint.commands.batch import Task, checks_for, document, process_text

    path, mode = options.stdin_filename or STDIN, _mode(options)
    settings = settings_of(path)
    wanted = outputs(options, settings.output_format)
    if sys.stdin is None:
        raise UsageError("stdin is closed", "pipe a script into `memlint check -`")
    results: list[Result] = []
    fixed = sys.stdin.buffer.read()
    if not (options.force_exclude and _is_excluded(settings_of, path)):
        source = document(path, fixed)
        results = [process_text(source, Task(path, checks_for(path, settings), mode))]
        fixed = source.encode(results[0].after)
    if mode.writes:
        sys.stdout.flush()
        sys.stdout.buffer.write(fixed)
        sys.stdout.buffer.flush()
    against = Against(path_of(options, settings), settings_of)
    return _conclude(options, wanted, against, results, [], sys.stderr if mode.writes else sys.stdout)


def _conclude(
    options: argparse.Namespace,
    wanted: Sequence[Output],
    against: Against,
    results: Sequence[Result],
    others: Sequence[FileReport],
    out: TextIO,
    *,
    trouble: bool = False,
) -> int:
    """Say everything there is to say, and choose the exit code; `trouble` is what was said before."""
    reports = _joined([*others, *(result.report for result in results)])
    for report in reports:
        if report.failed:
            said, *trace = report.failed.splitlines()
            talk(f"error: {said}")
            for line in trace if options.verbose else ():
                print(clean(line), file=sys.stderr)
    if options.write_baseline:
        against.write(reports)
        return 2 if trouble or any(report.failed for report in reports) else 0
    reports = against.without_known(reports, quiet=options.quiet)
    changed = [result for result in results if result.applied]
    if options.diff:
        write(wanted[0].file, out, partial(_show_diff, options, changed), is_text=True)
    elif (reports or not trouble) and not options.fix_only:
        for output in wanted:
            is_text = output.format in IN_TEXT
            write(output.file, out, partial(_report, options, output, reports), is_text=is_text)
    _tell_fixes(options, results, changed)
    if trouble or any(report.failed for report in reports):
        return 2
    if options.exit_zero:
        return 0
    if options.diff:
        return int(bool(changed))
    remaining = any(report.findings for report in reports) and not options.fix_only
    return int(remaining or bool(changed and options.exit_non_zero_on_fix))


def _put(text: str, out: TextIO) -> None:
    out.write(text)


def _joined(reports: Sequence[FileReport]) -> list[FileReport]:
    """The reports by path, with what several files report of one cause in one place."""
    ordered = sorted(reports, key=lambda report: report.path)
    if sum(bool(report.findings) for report in ordered) < 2:
        return ordered
    from memlint.engine import one_cause

    return one_cause.across(ordered)


def _report(options: argparse.Namespace, output: Output, reports: Sequence[FileReport], out: TextIO) -> None:
    from memlint.report.formats import renderer
    from memlint.report.summary import options_for, summarise

    look = options_for(
        out,
        color=wants_color(options, out),
        statistics=options.statistics,
        quiet=options.quiet,
        full=options.full,
    )
    # Without findings a text report is its closing sentence: no need to import what draws frames.
    bare = output.format == "text" and not any(report.findings for report in reports)
    render = renderer("statistics" if bare else output.format)
    render(reports, summarise(reports), out, look)


def _show_diff(options: argparse.Namespace, changed: Sequence[Result], out: TextIO) -> None:
    from memlint.edit.apply import unified_diff
    from memlint.report import patch

    color = wants_color(options, out)
    for result in changed:
        for name, old, new in result.changes:
            patch.render(unified_diff(name, old, new), out, color=color)


def _tell_fixes(options: argparse.Namespace, results: Sequence[Result], changed: Sequence[Result]) -> None:
    left = "not fixed" if options.add_ignore is None else "not ignored"
    for result in results:
        if result.refused:
            talk(f"warning: {left}: {result.refused}")
        for reason in result.left_out:
            talk(f"warning: {reason}")
    if options.quiet or not (changed or options.diff):
        return
    from memlint.report.summary import summarise
    from memlint.units import plural

    count = sum(len(result.applied) for result in changed)
    what = f"{plural(count, 'finding')} in {plural(len(changed), 'file')}" if changed else "nothing"
    if options.add_ignore is not None:
        talk(f"would ignore {what}" if options.diff else f"ignored {what}")
        return
    unsafe = 0 if options.unsafe_fixes else summarise([result.report for result in results]).fixable_unsafe
    more = f" ({unsafe} {'more' if changed else 'fixable'} with --unsafe-fixes)" if unsafe else ""
    # After `--fix` the report itself counts what is left.
    talk(f"would fix {what}{more}" if options.diff else f"fixed {what}")


def _folder(path: str) -> Path:
    full = Path(path).absolute()
    return full if os.path.isdir(full) else full.parent


def _version(text: str) -> tuple[int, ...]:
    try:
        return parse_version(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
