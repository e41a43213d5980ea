"""How long `memlint check` takes beside TorchFix, beside libcst's parser and beside bare Python.

    python -m benchmarks.check_speed [--rounds N] [--corpus FOLDER ...] [--project FOLDER ...] ...

Everything that is compared runs in turn within one session; what is shown are medians over the rounds.
The budgets are those of the design (section 9). Exit code 1 when one is exceeded.
"""

from __future__ import annotations

import argparse
import gc
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import libcst

from benchmarks.timing import Run, above, command, function, interleaved, ratio
from memlint import catalogue
from memlint.__main__ import YOUNG
from memlint.engine import check as engine
from memlint.project import gate

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "benchmarks" / "data" / "train_500.py"
FIXTURES = ROOT / "fixtures"
PROJECT = FIXTURES / "project"
PEERS = ROOT / ".benchmarks"
TORCHFIX = "torchfix==0.7.0"
KEEPING = [sys.executable, "-m", "memlint", "check", "--isolated"]
CHECK = [*KEEPING, "--no-cache"]
PARSE = "import sys, libcst; libcst.parse_module(open(sys.argv[1]).read())"
PARSE_ALL = """
import contextlib, libcst, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    with contextlib.suppress(libcst.ParserSyntaxError, UnicodeDecodeError):
        libcst.parse_module(path.read_bytes())
"""
FOUND_OR_NOT = (0, 1)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, against what, the figure and what it may be at most."""

    what: str
    against: str
    measured: float
    most: float | None
    unit: str

    @property
    def met(self) -> bool:
        """Whether the figure is within its budget."""
        return self.most is None or self.measured <= self.most

    def cells(self) -> tuple[str, ...]:
        """The texts of the row."""
        budget = "" if self.most is None else f"<= {self.most:g}{self.unit}"
        verdict = "" if self.most is None else "met" if self.met else "MISSED"
        return (
            self.what,
            self.against,
            f"{self.measured:.{0 if 'ms' in self.unit else 2}f}{self.unit}",
            budget,
            verdict,
        )


def torchfix() -> str:
    """The TorchFix program, installed into an environment of its own on first use.

    Raises:
        subprocess.CalledProcessError: pip could not install it.
    """
    folder = PEERS / TORCHFIX.replace("==", "-")
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    program = folder / scripts / "torchfix"
    if not program.exists():
        print(f"installing {TORCHFIX} into {folder.relative_to(ROOT)} ...", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        python = str(folder / scripts / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", TORCHFIX], check=True)
    return str(program)


def one_script(rounds: int, peer: str | None) -> Iterator[Row]:
    """One script of 500 lines, each time in a new process."""
    runs: dict[str, Run] = {
        "memlint": command([*CHECK, str(SCRIPT)], FOUND_OR_NOT),
        "parse": command([sys.executable, "-c", PARSE, str(SCRIPT)]),
    }
    if peer:
        runs["torchfix"] = command([peer, "--select=ALL", str(SCRIPT)], FOUND_OR_NOT)
    taken = interleaved(runs, rounds)
    what = "500-line script, new process"
    yield Row(what, "processor time", statistics.median(taken["memlint"]) * 1000, 350, " ms")
    if peer:
        yield Row(what, "TorchFix", ratio(taken, "memlint", "torchfix"), 0.5, "x")
    yield Row(what, "importing libcst and parsing", ratio(taken, "memlint", "parse"), None, "x")


def many_files(rounds: int, peer: str | None, folders: Sequence[Path]) -> Iterator[Row]:
    """The files of some folders: the analysis in this process, and the whole command beside TorchFix."""
    texts = analysed(folders)
    lines = sum(text.count("\n") for text in texts.values())
    taken = interleaved(
        {"memlint": function(lambda: analyse(texts)), "parse": function(lambda: parse(texts))}, rounds
    )
    what = f"{len(texts)} files, {lines} lines"
    yield Row(f"{what}, one process", "libcst.parse_module", ratio(taken, "memlint", "parse"), 1.6, "x")
    if peer:
        paths = [str(folder) for folder in folders]
        runs = {
            "memlint": command([*CHECK, "-j1", *paths], FOUND_OR_NOT),
            "torchfix": command([peer, "--select=ALL", *paths], FOUND_OR_NOT),
        }
        taken = interleaved(runs, max(2, rounds // 3))
        yield Row(f"{what}, new process", "TorchFix", ratio(taken, "memlint", "torchfix"), 0.5, "x")


def whole_tree(rounds: int, peer: str, folders: Sequence[Path]) -> Iterator[Row]:
    """Training scripts, library code that mentions torch, and code that has nothing to do with it."""
    paths = [*folders, Path(sysconfig.get_path("stdlib")) / "email"]
    torch = find_spec("torch")
    if torch is not None and torch.submodule_search_locations:
        paths.append(Path(torch.submodule_search_locations[0]) / "optim")
    files = [path for folder in paths for path in folder.rglob("*.py")]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    runs = {
        "memlint": command([*CHECK, "-j1", *map(str, paths)], FOUND_OR_NOT),
        "torchfix": command([peer, "--select=ALL", *map(str, paths)], FOUND_OR_NOT),
    }
    taken = interleaved(runs, max(2, rounds // 8))
    what = f"{len(files)} files, {lines} lines, a third without torch"
    yield Row(what, "TorchFix", ratio(taken, "memlint", "torchfix"), 0.05, "x")


def repository(rounds: int, peer: str | None, folder: Path) -> Iterator[Row]:
    """A whole repository in a new process, beside libcst's parser on the same files, and beside TorchFix."""
    files = sorted(folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    runs = {
        "memlint": command([*CHECK, "-j1", str(folder)], FOUND_OR_NOT),
        "parse": command([sys.executable, "-c", PARSE_ALL, str(folder)]),
    }
    if peer:
        runs["torchfix"] = command([peer, "--select=ALL", str(folder)], FOUND_OR_NOT)
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, Path(place, folder.name))
        Path(place, "pyproject.toml").touch()
        runs["again"] = command([*KEEPING, "-j1", place], FOUND_OR_NOT)
        runs["again"]()
        taken = interleaved(runs, max(1, rounds // 8), warm=False)
    what = f"{folder.name}: {len(files)} files, {lines} lines, new process"
    yield Row(what, "libcst.parse_module", ratio(taken, "memlint", "parse"), None, "x")
    yield Row(f"{what}, again", "without cached results", ratio(taken, "again", "memlint"), 0.03, "x")
    if peer:
        yield Row(what, "TorchFix", ratio(taken, "memlint", "torchfix"), 0.05, "x")


def analysed(folders: Sequence[Path]) -> dict[str, str]:
    """The files that pass the gate on their bytes, and that libcst can parse."""
    texts: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        data = path.read_bytes()
        if gate.mentions_framework(data):
            try:
                libcst.parse_module(text := data.decode("utf-8"))
            except (UnicodeDecodeError, libcst.ParserSyntaxError):
                continue
            texts[str(path)] = text
    return texts


def project(rounds: int, folder: Path) -> Iterator[Row]:
    """A project, its imports followed, beside the same files each in a project of its own."""
    paths = [p for p in sorted(folder.rglob("*.py")) if _is_checked(p.read_bytes())]
    with tempfile.TemporaryDirectory() as place:
        whole, alone = Path(place, "whole"), Path(place, "alone")
        shutil.copytree(folder, whole)
        (whole / "pyproject.toml").touch()
        for number, path in enumerate(paths):
            own = alone / str(number)
            own.mkdir(parents=True)
            (own / "pyproject.toml").touch()
            shutil.copy(path, own)
        taken = interleaved(
            {
                "followed": command([*CHECK, "-j1", str(whole)], FOUND_OR_NOT),
                "alone": command([*CHECK, "-j1", str(alone)], FOUND_OR_NOT),
            },
            max(3, rounds // 2),
        )
    lines = sum(path.read_text("utf-8").count("\n") for path in paths)
    what = f"{folder.name}: {len(paths)} files, {lines} lines, imports followed"
    yield Row(what, "files alone", ratio(taken, "followed", "alone"), 1.3, "x")


def _is_checked(data: bytes) -> bool:
    """Whether `memlint check FOLDER` looks at a file, in a folder in which some mention a framework."""
    return gate.mentions_framework(data) or gate.may_help(data)


def second_run(rounds: int, folders: Sequence[Path]) -> Iterator[Row]:
    """The same files checked once more, none of them changed: their reports were kept."""
    with tempfile.TemporaryDirectory() as place:
        for folder in folders:
            shutil.copytree(folder, Path(place, folder.name))
        Path(place, "pyproject.toml").touch()
        taken = interleaved(
            {
                "again": command([*KEEPING, "-j1", place], FOUND_OR_NOT),
                "uncached": command([*CHECK, "-j1", place], FOUND_OR_NOT),
            },
            max(2, rounds // 3),
        )
    yield Row(
        "the same files again, new process", "without cached results", ratio(taken, "again", "uncached"),
        0.05, "x",
    )


def analyse(texts: Mapping[str, str]) -> None:
    """Check every text with all rules that are on by default, each alone."""
    codes = frozenset(rule.code for rule in catalogue.load())
    for path, text in texts.items():
        engine.check(text, path, engine.Checks(codes, frozenset(), path))


def parse(texts: Mapping[str, str]) -> None:
    """Parse every text with libcst."""
    for text in texts.values():
        libcst.parse_module(text)


def start_up(rounds: int) -> Iterator[Row]:
    """What it costs to ask for the version, and to look at files that do not concern memlint."""
    foreign = str(Path(sysconfig.get_path("stdlib")) / "email")
    taken = interleaved(
        {
            "python": command([sys.executable, "-c", "pass"]),
            "version": command([sys.executable, "-m", "memlint", "--version"]),
            "foreign": command([*CHECK, foreign]),
        },
        rounds,
    )
    yield Row("memlint --version", "above bare Python", above(taken, "version", "python") * 1000, 60, " ms")
    yield Row(
        "folder without torch", "above bare Python", above(taken, "foreign", "python") * 1000, 60, " ms"
    )


def show(rows: Sequence[Row]) -> None:
    """Print the table, in the form that README.md shows it in."""
    print(f"Python {platform.python_version()}, libcst {version('libcst')}, {platform.machine()}\n")
    table = [("what", "against", "measured", "budget", ""), *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(5)]
    for number, line in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if not number:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def main() -> int:
    """Measure, print, and say by the exit code whether the budgets are met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check_speed")
    parser.add_argument("--rounds", type=int, default=15, help="how often each command is timed")
    parser.add_argument(
        "--corpus", type=Path, nargs="+", default=[FIXTURES], help="folders for the many-files rows"
    )
    parser.add_argument(
        "--project", type=Path, nargs="+", default=[PROJECT], help="projects whose imports are followed"
    )
    parser.add_argument(
        "--repository", type=Path, nargs="+", default=[], help="whole repositories, and nothing else"
    )
    parser.add_argument(
        "--without-torchfix", action="store_true", help="leave out the peer (it needs an index)"
    )
    options = parser.parse_args()
    gc.set_threshold(YOUNG)  # as the command has it, for what is timed in this process
    peer = None if options.without_torchfix else torchfix()
    rows = [row for folder in options.repository for row in repository(options.rounds, peer, folder)] or [
        *one_script(options.rounds, peer),
        *many_files(options.rounds, peer, options.corpus),
        *(row for folder in options.project for row in project(options.rounds, folder)),
        *second_run(options.rounds, options.corpus),
        *(whole_tree(options.rounds, peer, options.corpus) if peer else ()),
        *start_up(options.rounds),
    ]
    show(rows)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
