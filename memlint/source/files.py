"""Files: which ones to check, and writing them back so that nothing is ever half written."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import BinaryIO

from memlint.errors import SourceError, UsageError
from memlint.records import dataclass

SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")
SKIPPED_FOLDERS = frozenset({"venv", "node_modules", "__pycache__", "build", "dist", "site-packages"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to look at; `explicit` when the user named it, not a folder above it."""

    path: str
    explicit: bool


@dataclass(frozen=True, slots=True)
class Discovery:
    """Files in report order, and what is to be said about paths that are of no use."""

    candidates: tuple[Candidate, ...]
    problems: tuple[SourceError, ...]
    warnings: tuple[str, ...]


def discover(paths: Sequence[str], is_excluded: Callable[[str], bool], *, force_exclude: bool) -> Discovery:
    """Expand paths into files. Files named by the user are kept even when they are excluded or ignored,
    unless `force_exclude` says otherwise."""
    found: dict[str, bool] = {}
    problems: list[SourceError] = []
    warnings: list[str] = []
    for given in paths:
        path = os.path.normpath(given) if given else ""
        if os.path.isdir(path):
            unreadable: list[OSError] = []
            files = list(walk(path, unreadable.append))
            problems += [_unreadable(error.filename, error) for error in unreadable]
            if not files and not unreadable:
                warnings.append(f"no Python files or notebooks in {given} (give a file or another folder)")
        else:
            problem = _problem(path)
            problems += [problem] if problem else []
            files = [] if problem else [path]
        for file in files:
            explicit = file == path
            if (force_exclude or not explicit) and is_excluded(file):
                continue
            found[file] = found.get(file, False) or explicit
    candidates = tuple(Candidate(path, found[path]) for path in sorted(found))
    return Discovery(candidates, tuple(problems), tuple(warnings))


def walk(folder: str, on_error: Callable[[OSError], object]) -> Iterator[str]:
    """The Python files and notebooks under a folder: what git does not ignore where there is git, without
    environments, build results and hidden folders. Folders that cannot be read are told to `on_error`."""
    listed = _listed_by_git(folder, on_error)
    for file in _walk_plainly(folder, on_error) if listed is None else listed:
        if file.endswith(SUFFIXES):
            path = os.path.normpath(os.path.join(folder, file))
            if os.path.isfile(path):
                yield path


def is_project(folder: Path) -> bool:
    """Whether a folder is the top of a project: it has a `pyproject.toml` or a `.git`."""
    # Not `Path.exists`, which raises where a folder may not be entered.
    return os.path.isfile(folder / "pyproject.toml") or os.path.exists(folder / ".git")


def listed(folder: Path, pattern: str) -> list[Path]:
    """What a pattern names in a folder, in order: nothing where the folder may not be entered."""
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


_MARKS = ("setup.py", "setup.cfg", "requirements.txt", "environment.yml")


def has_mark(folder: Path) -> bool:
    """Whether a folder holds a file that projects without a `pyproject.toml` mostly have at their top."""
    return any(os.path.isfile(folder / mark) for mark in _MARKS)


def above_packages(folder: Path) -> Path:
    """The nearest folder, from `folder` upwards, that is no package: Python finds its packages from there."""
    while os.path.isfile(folder / "__init__.py") and folder.parent != folder:
        folder = folder.parent
    return folder


def matches(path: str, root: Path, patterns: Iterable[str]) -> bool:
    """Whether a pattern matches the path, relative to `root`, one of its folders, or a single name in it.

    `*` also matches across folders: `tests/*` is everything below tests. Backslashes separate folders, too.
    """
    full = Path(os.path.abspath(path))
    try:
        parts = full.relative_to(root).parts
    except ValueError:
        parts = full.parts
    names = {*parts, *("/".join(parts[: end + 1]) for end in range(len(parts)))}
    tidy = [pattern.replace("\\", "/").removeprefix("./").strip("/") for pattern in patterns]
    tidy += [pattern.removeprefix("**/") for pattern in tidy if pattern.startswith("**/")]
    return any(fnmatch(name, pattern) for pattern in tidy for name in names)


def shown(file: Path) -> str:
    """A path as messages show it: relative where it lies below the current folder."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def seen_from(path: str | Path, folder: str | Path) -> str:
    """`path` relative to a folder; from the top where no way leads there, as between drives of Windows."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return os.path.abspath(path)


def read(path: str) -> bytes:
    """The bytes of a file.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise _unreadable(path, error) from error


def read_regular(path: str) -> bytes:
    """The bytes of a file to check. What has become a pipe or a device since it was found is not waited for.

    Raises:
        SourceError: it cannot be read, or is no regular file any more.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SourceError(f"{path}: is not a regular file")
            return file.read()
    except OSError as error:
        raise _unreadable(path, error) from error


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write(path: str, data: bytes, expected: bytes) -> None:
    """Put `data` in place of the file's content `expected`: all of it, or nothing.

    A symbolic link stays one; its target is replaced and keeps its mode.

    Raises:
        SourceError: the file is read-only, was changed meanwhile, or cannot be replaced.
    """
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
        if not status.st_mode & 0o222:
            raise SourceError(f"{path}: is read-only, so it was not fixed", "make it writable: chmod u+w")

        def check() -> None:
            if read_regular(real) != expected:
                message = f"{path}: was changed by another program, so it was not fixed"
                raise SourceError(message, "run memlint again")

        replace(real, data, status, check)
    except OSError as error:
        raise SourceError(
            f"{path}: cannot be written: {error.strerror}", "the old content is intact"
        ) from error


def expect_writable(path: str) -> None:
    """See to it that `write_report` can succeed, before the work that the report is about.

    Raises:
        UsageError: the folder does not exist, is not writable, or the path is a folder itself.
    """
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise UsageError(f"{path}: cannot be written: it is a folder", "name a file in it")
    if not os.path.isdir(folder):
        raise UsageError(f"{path}: cannot be written: there is no folder {folder}", "make it first")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path}: cannot be written: {folder} is not writable", "name another folder")


def write_report(path: str, text: str) -> None:
    """Write a report: into a file all of it or nothing; a device or a pipe takes it as it comes.

    Raises:
        UsageError: it cannot be written there.
    """
    real = os.path.realpath(path)
    data = text.encode("utf-8", "backslashreplace")
    try:
        status = os.stat(path) if os.path.exists(path) else None
        if status is None or stat.S_ISREG(status.st_mode):
            replace(real, data, status)
        else:
            Path(path).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error


def replace(
    real: str, data: bytes, status: os.stat_result | None, check: Callable[[], object] = lambda: None
) -> None:
    """Write a temporary file in the folder of `real`, flush it to the disk, and rename it over `real`.

    `check` is called as the last thing before the renaming; what it raises prevents it. Where the system can,
    the temporary file gets its name only after `check`: a process killed while it writes leaves nothing.

    Raises:
        OSError: one of the steps failed; `real` is untouched and the temporary file is gone.
    """
    folder, name = os.path.split(real)
    # Not the number of the process: in containers the next one often has that of the one that was killed.
    # The name itself may have all the bytes that a name can have.
    temporary = os.path.join(folder, f".{name[:40]}.{os.urandom(6).hex()}.memlint-tmp")
    mode = stat.S_IMODE(status.st_mode) if status else 0o666
    nameless = _open_nameless(folder or os.curdir, mode)
    try:
        if nameless is not None:
            with open(nameless, "wb") as file:
                _fill(file, data, real, status)
                check()
                named = _give_name(file, temporary)
            if named:
                os.replace(temporary, real)
                return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(temporary, flags, mode), "wb") as file:
            _fill(file, data, real, status)
        check()
        os.replace(temporary, real)
    except BaseException:
        # An interrupt may come after the renaming.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _open_nameless(folder: str, mode: int) -> int | None:
    """A new file in a folder that vanishes with its last handle; None where the system has no such files."""
    if sys.platform != "linux":
        return None
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE, mode)
    except OSError:  # A file system without them says so in many ways; another trouble is met again.
        return None


def _give_name(file: BinaryIO, path: str) -> bool:
    """Give a nameless file a name; whether that could be done, which takes `/proc` and its file system."""
    handle = file.fileno()
    try:
        # A path from the top needs no folder. But only with one given does Python follow the link.
        os.link(f"/proc/self/fd/{handle}", path, src_dir_fd=handle, follow_symlinks=True)
    except OSError:
        return False
    return True


def _fill(file: BinaryIO, data: bytes, real: str, status: os.stat_result | None) -> None:
    """Write all of a file down to the disk, with what the system keeps about the old one, `real`."""
    if status is not None:
        _inherit(file, real, status)
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _inherit(file: BinaryIO, real: str, status: os.stat_result) -> None:
    """Owner, mode, access list and other attributes of the old file, each where the system lets us set it."""
    made = os.fstat(file.fileno())
    if hasattr(os, "fchown") and (status.st_uid, status.st_gid) != (made.st_uid, made.st_gid):
        # Only root may give files away; the content matters more than the owner.
        with contextlib.suppress(PermissionError):
            os.fchown(file.fileno(), status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), stat.S_IMODE(status.st_mode))
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for name in os.listxattr(real):
                with contextlib.suppress(OSError):
                    os.setxattr(file.fileno(), name, os.getxattr(real, name))


def _problem(path: str) -> SourceError | None:
    if not path:
        return SourceError("a path is empty", "write . for the current folder")
    try:
        os.lstat(path)
    except PermissionError as error:
        return _unreadable(path, error)
    except (OSError, ValueError):
        return SourceError(f"{path}: no such file or folder", "check the spelling")
    # What comes through a pipe can be read only once, and a device may never end.
    if os.path.exists(path) and not os.path.isfile(path):
        return SourceError(f"{path}: is not a regular file", "to check a stream: memlint check - < STREAM")
    return None


def _unreadable(path: str, error: OSError) -> SourceError:
    hint = "check its permissions" if isinstance(error, PermissionError) else ""
    return SourceError(f"{path}: cannot be read: {error.strerror}", hint)


def _walk_plainly(folder: str, on_error: Callable[[OSError], object]) -> Iterator[str]:
    pending = [""]
    # Not `os.walk`, which before Python 3.12 calls itself for every level.
    while pending:
        here = pending.pop()
        try:
            with os.scandir(os.path.join(folder, here) if here else folder) as entries:
                inside = sorted((os.path.join(here, entry.name), _is_folder(entry)) for entry in entries)
        except OSError as error:
            on_error(error)
            continue
        yield from (name for name, is_folder in inside if not is_folder)
        folders = (name for name, is_folder in inside if is_folder)
        pending += [name for name in folders if not _is_skipped(os.path.basename(name))]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder to go into; links to folders are not followed."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in SKIPPED_FOLDERS


def _listed_by_git(folder: str, on_error: Callable[[OSError], object]) -> list[str] | None:
    """What git tracks or would add under a folder; None outside of git, or when the folder is ignored."""
    home = Path(os.path.abspath(folder))
    if not any(os.path.exists(parent / ".git") for parent in (home, *home.parents)):
        return None
    import subprocess

    # A file monitor is a program named by the repository's own configuration: never start it.
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z", "--", "."]
    # Inside a git hook, GIT_DIR and its like speak of another repository than the folder's.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    # It must not fetch what a partial clone lacks: the configuration names a program for that.
    # Before git 2.44 only the second is known.
    environment |= {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    try:
        answer = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    listed: list[str] = []
    for name in dict.fromkeys(os.fsdecode(answer).split("\0")):
        if not name or any(_is_skipped(part) for part in name.split("/")[:-1]):
            continue
        inner = os.path.join(folder, name)
        if os.path.isdir(inner):  # another repository inside this one
            listed += [os.path.relpath(file, folder) for file in walk(inner, on_error)]
        else:
            listed.append(name)
    return listed or None
