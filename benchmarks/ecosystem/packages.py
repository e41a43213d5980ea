"""The pinned packages: fetching them with pip, unpacking them, and linting what is in them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memlint.commands.batch import Mode, Task, checks_for, run_all
from memlint.config import Overrides, Settings, resolve
from memlint.engine import one_cause
from memlint.engine.check import Checks
from memlint.errors import MemlintError
from memlint.finding import Finding
from memlint.project import gate
from memlint.source import files

UNCHECKED = frozenset({"MEM001", "MEM004"})
"""The findings that say that a file was not checked, or not by all rules: no findings on its code."""

WHEEL = ["--only-binary", ":all:", "--platform", "manylinux_2_28_x86_64", "--python-version", "3.11"]
"""Wheels are those of one platform, so that everybody reads the same files."""

Key = tuple[str, str, int, str, str]


class UnavailableError(MemlintError):
    """A package that cannot be had, or is not the one that was reviewed."""


@dataclass(frozen=True, slots=True)
class Package:
    """A release: `archive` is the file name of its distribution, `folders` what is linted of it."""

    name: str
    version: str
    archive: str
    sha256: str
    folders: tuple[str, ...] = (".",)

    @property
    def is_wheel(self) -> bool:
        """Whether it is taken as a wheel, for want of sources that need no building."""
        return self.archive.endswith(".whl")


@dataclass(frozen=True, slots=True)
class Place:
    """One finding: where it is (in a notebook, the path names the cell too), and what memlint says there."""

    package: str
    path: str
    line: int
    code: str
    severity: str
    message: str = ""

    @property
    def key(self) -> Key:
        """What identifies it; the message may be reworded."""
        return (self.package, self.path, self.line, self.code, self.severity)


@dataclass(frozen=True, slots=True)
class Linted:
    """What came of the files that mention a framework: how many they are, and the findings in them.

    `unchecked` names the files that memlint could not check, each with the reason; nothing else is said
    about them.
    """

    files: int
    places: tuple[Place, ...]
    unchecked: tuple[str, ...]


def pinned(path: Path) -> list[Package]:
    """The packages that a TOML file names."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["package"]
    return [Package(**{**entry, "folders": tuple(entry.get("folders", ["."]))}) for entry in entries]


def unpacked(package: Package, cache: Path) -> Path:
    """The folder with the package's files, fetched and unpacked on first use.

    Raises:
        UnavailableError: pip could not get it, or it is another archive than the reviewed one.
    """
    target = cache / "src" / f"{package.name}-{package.version}"
    if target.is_dir():
        return target
    archive = _fetched(package, cache)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise UnavailableError(f"{archive} is not the archive that was reviewed", "remove it, and try again")
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        whole = Path(folder) / "whole"
        _unpack(package, archive, whole)
        inner = list(whole.iterdir())
        (inner[0] if len(inner) == 1 and not package.is_wheel else whole).rename(target)
    return target


def _unpack(package: Package, archive: Path, folder: Path) -> None:
    if package.is_wheel:
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")


def _fetched(package: Package, cache: Path) -> Path:
    archive = cache / package.archive
    if archive.is_file():
        return archive
    kind = WHEEL if package.is_wheel else ["--no-binary", package.name]
    wanted = f"{package.name}=={package.version}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(cache)]
    done = subprocess.run([*pip, *kind, wanted], capture_output=True, text=True)
    if not archive.is_file():
        raise UnavailableError(
            f"{wanted}: {_complaint(done.stderr) or f'pip did not bring {package.archive}'}"
        )
    return archive


def _complaint(said: str) -> str:
    """The line in which pip says what went wrong; around it may stand warnings, tracebacks and advice."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if line.lower().startswith("error:")), "".join(lines[-1:]))


def linted(package: Package, folder: Path, jobs: int) -> Linted:
    """What `memlint check --isolated` finds in the package's files, in the order of its reports.

    Findings of one cause are one, as in its reports: that of the cause.

    Raises:
        UnavailableError: one of the folders named for it is not there.
    """
    settings = resolve(folder, Overrides(isolated=True))
    tasks = [
        Task(path, _checks(path, relative, folder, settings), Mode())
        for path, relative in _scripts(package, folder)
    ]
    places: list[Place] = []
    unchecked: list[str] = []
    reports = [result.report for result in run_all(tasks, jobs)]
    for task, report in zip(tasks, one_cause.across(reports), strict=True):
        path = task.checks.identity
        problems = [finding.message for finding in report.findings if finding.code in UNCHECKED]
        if problems or report.failed:
            unchecked.append(f"{path}: {(problems or [report.failed])[0]}".partition("\n")[0])
        places += [] if problems else [_place(package, path, finding) for finding in report.findings]
    return Linted(len(tasks), tuple(places), tuple(unchecked))


def _checks(path: str, relative: str, folder: Path, settings: Settings) -> Checks:
    """What a user's run looks for, the package being its own project although it lies in that of memlint."""
    return replace(checks_for(path, settings), identity=relative, root=str(folder))


def _place(package: Package, path: str, finding: Finding) -> Place:
    where = path if finding.cell is None else f"{path}:cell {finding.cell}"
    severity = str(finding.severity)
    return Place(package.name, where, finding.span.line, finding.code, severity, finding.message)


def _scripts(package: Package, folder: Path) -> Iterator[tuple[str, str]]:
    given: Sequence[str] = [str(folder / part) for part in package.folders]
    found = files.discover(given, lambda path: False, force_exclude=False)
    for problem in found.problems:
        raise UnavailableError(f"{package.name}: {problem}", "correct its folders in the list of packages")
    mentioning, helping = list[str](), list[str]()
    for candidate in found.candidates:
        data = files.read(candidate.path)
        if gate.mentions_framework(data):
            mentioning.append(candidate.path)
        elif gate.may_help(data):
            helping.append(candidate.path)
    for path in sorted([*mentioning, *helping] if mentioning else []):
        yield path, Path(path).relative_to(folder).as_posix()
