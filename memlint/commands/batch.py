"""The work on many files: which checks each gets, reading, checking, fixing, and the process pool."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from memlint import catalogue, packs
from memlint.catalogue import Title
from memlint.commands.checking.schedule import turns
from memlint.config import Settings
from memlint.engine import check as engine
from memlint.engine.cache import Entry, folder_for
from memlint.engine.checks import Checks
from memlint.errors import MemlintError, SourceError
from memlint.finding import FileReport, Finding, Note
from memlint.plain import clean
from memlint.project import gate
from memlint.project.dependencies import Dependencies
from memlint.records import dataclass
from memlint.source import files
from memlint.source.text import Source
from memlint.units import plural

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from memlint.source.notebook import Notebook

MOST_WORKERS = 61
"""On Windows, where ProcessPoolExecutor refuses to start more: the system waits for no more at once."""

POOL_FROM = 8
"""Files from which on a pool pays for its start: every worker imports libcst again."""


@dataclass(frozen=True, slots=True)
class Mode:
    """What to do with fixes: nothing, show the difference, or write; `unsafe` takes unsafe ones too.

    `ignore` is the reason that suppression comments are to give, which are then written in place of fixes;
    "" for none, None without such comments.
    """

    fix: bool = False
    diff: bool = False
    unsafe: bool = False
    ignore: str | None = None

    @property
    def writes(self) -> bool:
        """Whether files may be changed."""
        return self.fix or (self.ignore is not None and not self.diff)

    def concerns(self, report: FileReport) -> bool:
        """Whether there may be something to change in the file of a report."""
        if self.ignore is not None:
            return bool(report.findings)
        return (self.fix or self.diff) and _fixable(report)


@dataclass(frozen=True, slots=True)
class Task:
    """One file to work on; `kept` is the folder in which its report is kept, None for nowhere."""

    path: str
    checks: Checks
    mode: Mode
    kept: Path | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a task: the findings that remain, the fixed ones, and the text before and after.

    `changes` are the name, the old and the new text of what was fixed: the file, or cells of a notebook.
    `refused` says why fixes of a file were withdrawn or comments not written, "" when they were not;
    `left_out` says of which findings the fix alone was, and why. `pending` holds the bytes to be written and
    those that they replace.
    """

    report: FileReport
    applied: tuple[Finding, ...] = ()
    before: str = ""
    after: str = ""
    changes: tuple[tuple[str, str, str], ...] = ()
    refused: str = ""
    left_out: tuple[str, ...] = ()
    pending: tuple[bytes, bytes] | None = None


def checks_for(path: str, settings: Settings, given: str = "") -> Checks:
    """The rules in force for one file; `given` is the folder that was named on the command line, if any.

    Raises:
        UsageError: a selector matches no rule.
    """
    selected = _selected(settings)
    codes = selected.codes
    for pattern, selectors in settings.per_file_ignores:
        if files.matches(path, settings.globs_root, [pattern]):
            codes -= _codes(selectors, packs.titles(settings.rule_packs))
    full = Path(path).absolute()
    root = project_of(full.parent, Path(given).absolute() if given else None)
    identity = Path(os.path.relpath(full, root)).as_posix()
    version, check_tests = settings.torch_version, settings.check_tests
    return Checks(
        codes,
        selected.advice & codes,
        identity,
        version,
        str(root),
        check_tests,
        selected.named & codes,
        selected.errors_only & codes,
        settings.origins.get("torch-version", "") if version is not None else "",
        settings.rule_packs,
        settings.pinned,
        settings.limits,
        test_functions=check_tests,
    )


def task_for(path: str, settings: Settings, mode: Mode, *, kept: bool, given: str = "") -> Task:
    """The task for a file on disk; `kept` says whether its report may come from the project's folder.

    `given` is the folder named on the command line below which the file was found, "" for none.

    Raises:
        UsageError: a selector matches no rule.
    """
    checks = checks_for(path, settings, given)
    return Task(path, checks, mode, folder_for(Path(checks.root)) if kept and checks.root else None)


@dataclass(frozen=True, slots=True)
class _Selected:
    """Codes in force, and of them: those whose advice was asked for, the named, those of errors alone."""

    codes: frozenset[str]
    advice: frozenset[str]
    named: frozenset[str]
    errors_only: frozenset[str]


@cache
def _selected(settings: Settings) -> _Selected:
    titles = packs.titles(settings.rule_packs)
    chosen = catalogue.select(settings.select, settings.ignore, settings.extend_select, titles)
    codes = frozenset(rule.code for rule in chosen) | (catalogue.ALWAYS - _codes(settings.ignore, titles))
    asked = {selector.strip().lower() for selector in (*settings.select, *settings.extend_select)}
    partly = {catalogue.TRAINING, catalogue.ERRORS}
    named = codes & _codes(sorted(asked - partly), titles)
    alone = catalogue.ERRORS in asked and catalogue.TRAINING not in asked
    others = codes - named - catalogue.ALWAYS if alone else frozenset[str]()
    return _Selected(codes, codes if settings.advice else named, named, others)


def _codes(selectors: Sequence[str], titles: Sequence[Title]) -> frozenset[str]:
    return frozenset(title.code for selector in selectors for title in catalogue.named(selector, titles))


@cache
def project_of(folder: Path, given: Path | None = None) -> Path:
    """The folder below which imports are followed for the files of `folder`.

    The nearest one upwards with a `pyproject.toml` or a `.git`. An unpacked archive often has neither: there
    it is the folder that the user gave, else the nearest one with another mark of a project, else what holds
    the outermost package, which for a script beside no package is `folder` itself.
    """
    upwards = (folder, *folder.parents)
    project = next((parent for parent in upwards if files.is_project(parent)), None)
    if project is None and given is not None and given in upwards:
        return files.above_packages(given)
    marked = next((parent for parent in upwards if files.has_mark(parent)), None)
    return project or marked or files.above_packages(folder)


def process(task: Task) -> Result:
    """Read, check and, where the mode says so, fix one file in memory. What goes wrong is in the report."""
    try:
        return _process(task)
    except SourceError as error:
        return Result(FileReport(task.path, failed=str(error)))
    except Exception as crash:
        import traceback

        trace = "".join(traceback.format_exception(crash))
        return Result(FileReport(task.path, failed=f"{clean(task.path)}: internal error: {crash!r}\n{trace}"))


def _process(task: Task) -> Result:
    data = files.read_regular(task.path)
    source = document(task.path, data)
    result = process_text(source, task)
    if not task.mode.writes or result.after == result.before:
        return result
    try:
        return replace(result, pending=(source.encode(result.after), data))
    except SourceError as error:
        return _untouched(task, data, error)


def document(path: str, data: bytes) -> Source | Notebook:
    """A file as its name says: a script or a notebook.

    Raises:
        SourceError: it cannot be read as such.
    """
    if not gate.is_notebook(path):
        return Source.decode(path, data)
    from memlint.source.notebook import Notebook

    return Notebook.decode(path, data)


def _untouched(task: Task, data: bytes, error: SourceError) -> Result:
    """The result for a file that could not be written."""
    result = process_text(document(task.path, data), replace(task, mode=Mode()))
    return Result(replace(result.report, failed=str(error)))


def _written(task: Task, result: Result) -> Result:
    """The result after its text was written, which happens when all files were read.

    Files are read for one another's sake: what is found in one must not depend on which was fixed first.
    """
    if result.pending is None:
        return result
    try:
        files.write(task.path, *result.pending)
    except SourceError as error:
        return _untouched(task, result.pending[1], error)
    return replace(result, pending=None)


def process_text(source: Source | Notebook, task: Task) -> Result:
    """Check a text, and fix it where the mode says so; writes nothing."""
    before, known = source.text, dict[str, FileReport]()

    def look(text: str) -> FileReport:
        if text not in known:
            known[text] = source.admit(_checked(text, task, kept=text == before), text)
        return known[text]

    report = look(before)
    if not task.mode.concerns(report) or report.failed:
        return Result(_shown(source, report, before, task), before=before, after=before)
    if task.mode.ignore is not None:
        return _ignored(source, report, look, task)
    from memlint.edit.apply import fix_text

    found = partial(_findings, look)
    fixed = fix_text(before, task.path, found, unsafe=task.mode.unsafe, place=source.place)
    return Result(
        _shown(source, look(fixed.text), fixed.text, task),
        fixed.applied,
        before,
        fixed.text,
        tuple(source.changes(fixed.text)) if fixed.applied else (),
        fixed.refused,
        tuple(
            f"{source.place(f, before)}: {f.code} was not fixed: {reason}"
            for f, reason in zip(fixed.left_out, fixed.reasons, strict=True)
        ),
    )


def _ignored(
    source: Source | Notebook, report: FileReport, look: Callable[[str], FileReport], task: Task
) -> Result:
    """The result of writing suppression comments for all that is reported."""
    from memlint.edit.ignores import with_ignores

    before = source.text
    text, applied = with_ignores(before, report.findings, task.mode.ignore or "")
    changes = tuple(source.changes(text)) if applied else ()
    left = len(report.findings) - len(applied)
    refused = f"{task.path}: {plural(left, 'finding')} left: no comment can stand there" if left else ""
    return Result(_shown(source, look(text), text, task), applied, before, text, changes, refused)


def _checked(text: str, task: Task, *, kept: bool) -> FileReport:
    """The report of a text, newly made."""
    dependencies = Dependencies()
    report = engine.check(text, task.path, task.checks, dependencies)
    if kept and task.kept is not None:
        Entry.of(task.kept, task.path, text, task.checks).keep(report, dependencies)
    return report


def _recalled(task: Task) -> Result | None:
    """The result for a file that was checked before and needs no work since; None where there is work."""
    if task.kept is None:
        return None
    try:
        source = document(task.path, files.read_regular(task.path))
    except SourceError:
        return None
    report = Entry.of(task.kept, task.path, source.text, task.checks).recall(task.checks)
    if report is None or task.mode.concerns(report):
        return None
    shown = _shown(source, source.admit(report, source.text), source.text, task)
    return Result(shown, before=source.text, after=source.text)


def _fixable(report: FileReport) -> bool:
    return any(fix is not None for f in report.findings for fix in (f.fix, *f.alternatives))


def _findings(look: Callable[[str], FileReport], text: str) -> tuple[Finding, ...]:
    return look(text).findings


def _shown(source: Source | Notebook, report: FileReport, text: str, task: Task) -> FileReport:
    """The report in terms of the file; cells of a notebook that are not Python add their syntax errors."""
    shown = source.show(report, text)
    for cell in () if isinstance(source, Source) else source.unreadable:
        checks = replace(task.checks, identity=f"{task.checks.identity} cell {cell.number}")
        alone = engine.check(cell.text, task.path, checks)
        said = (Note("help", "correct the syntax; until then memlint leaves this cell out"),)
        errors = tuple(replace(f, cell=cell.number, notes=said) for f in alone.findings if f.code == "MEM001")
        cells = ((cell.number, cell.text),) if errors else ()
        shown = replace(shown, findings=shown.findings + errors, cells=shown.cells + cells)
        # libcst may read what this Python cannot; a cell that was not checked must not look clean.
        if not errors and "MEM001" in task.checks.codes and "MEM001" not in cell.text:
            reason = f"{task.path}: cell {cell.number} cannot be read by this Python; the others were checked"
            shown = replace(shown, failed=shown.failed or reason)
    return shown


def run_all(tasks: Sequence[Task], jobs: int, done: Callable[[], None] = lambda: None) -> list[Result]:
    """The results in the order of the tasks; `jobs` 0 decides by itself how many processes to use.

    `done` is called for every file that had to be checked, once it was.

    Raises:
        MemlintError: a worker process died.
    """
    known = [_recalled(task) for task in tasks]
    work = [task for task, result in zip(tasks, known, strict=True) if result is None]
    made = iter(_processed(work, jobs, done))
    results = [result if result is not None else next(made) for result in known]
    return [_written(task, result) for task, result in zip(tasks, results, strict=True)]


def _processed(tasks: Sequence[Task], jobs: int, done: Callable[[], None]) -> list[Result]:
    order = _imported_first(tasks)
    made = dict(zip(order, _made([tasks[number] for number in order], jobs, done), strict=True))
    return [made[number] for number in range(len(tasks))]


def _imported_first(tasks: Sequence[Task]) -> list[int]:
    """The numbers of the tasks, those of files that others import before theirs: each is parsed once then."""
    projects: dict[str, dict[Path, int]] = {}
    for number, task in enumerate(tasks):
        projects.setdefault(task.checks.root or "", {})[Path(task.path).absolute()] = number
    ordered = [
        numbers[path]
        for root, numbers in projects.items()
        for path in (engine.modules_below(root).imported_first(numbers) if root else numbers)
    ]
    return list(dict.fromkeys([*ordered, *range(len(tasks))]))


def _made(tasks: Sequence[Task], jobs: int, done: Callable[[], None]) -> list[Result]:
    if tasks:
        catalogue.load()  # rules that cannot be read are the run's failure, not that of each file
    workers = min(jobs or (_processors() if len(tasks) >= POOL_FROM else 1), len(tasks))
    workers = min(workers, MOST_WORKERS) if sys.platform == "win32" else workers
    if workers <= 1:
        with engine.without_collection(spare=True):
            return _counted(map(process, tasks), done)
    order = turns([_size(task.path) for task in tasks], workers)
    with _pool(workers) as pool:
        with _interrupts_later():  # an interrupt would end a process that is being started with a traceback
            begun = [pool.submit(_process_all, [tasks[number] for number in turn]) for turn in order]
        found = _counted((result for turn in begun for result in turn.result()), done)
    made = dict(zip((number for turn in order for number in turn), found, strict=True))
    return [made[number] for number in range(len(tasks))]


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes; an interrupt kills them, wherever they are.

    They write nothing but entries of the cache, which are complete or not there.

    Raises:
        MemlintError: a process died.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    # A worker that is no fork is Python with `-c`, which looks for every module in the current folder first.
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    pool, wait = ProcessPoolExecutor(workers, initializer=_settle_worker), True
    try:
        yield pool
    except BrokenProcessPool as error:
        hint = "run again with -j1 to see at which file"
        raise MemlintError("a worker process died, killed or out of memory", hint) from error
    except KeyboardInterrupt:
        wait = False  # the pool may wait without end for the rest of what a killed one was sending
        for worker in active_children():
            worker.kill()
        raise
    finally:
        pool.shutdown(wait=wait, cancel_futures=True)
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C is heard at the end; processes that are started meanwhile never hear it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _process_all(tasks: Sequence[Task]) -> list[Result]:
    return [process(task) for task in tasks]


def _size(path: str) -> int:
    """The bytes of a file, 0 where that cannot be found out."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _counted(results: Iterable[Result], done: Callable[[], None]) -> list[Result]:
    found = []
    for result in results:
        found.append(result)
        done()
    return found


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _settle_worker() -> None:
    """Leave interrupts to the parent, collecting garbage to the checks, and end when the parent does."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent has ended, however that came about, and end this process.

    Without, the workers of a killed memlint wait for one another without end, each with its memory.
    """
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(1)
