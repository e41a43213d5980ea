"""Sends what a script writes into a scratch tree, and refuses to remove anything outside of it.

Paths that the script wrote are read back from the scratch tree, so that saving and loading a checkpoint
works; files that were there before are never touched. The functions of `os`, `open` and `torch.save`
are redirected, and so are those of libraries that open files in native code (`writers`); an audit hook
refuses what slips past them in Python, the kernel what native code and other programs do (`landlock`). In
a folder that exists in the scratch tree only, the process is there, and `os.getcwd` says where the script
believes to be.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from memlint.runtime.child.containment import landlock
from memlint.session import Failure

_LIBRARY = tuple({os.path.join(sysconfig.get_path(key), "") for key in ("stdlib", "purelib", "platlib")})
_FREE = ("/dev/", "/proc/", "/sys/")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""The flags of os.open that can change a file."""
_PROGRAMS = ("subprocess.Popen", "os.system", "os.posix_spawn")
_CONNECTIONS = {"socket.connect": 1, "sqlite3.connect": 0}
_MISSED = ("FileNotFoundError", "CalledProcessError")
"""Exceptions that may come from a program that could not write."""
_REFUSES = (
    "the sandbox refuses writes of programs and native code; if that made the script fail, use --no-sandbox"
)
_lstat, _chdir = os.lstat, os.chdir


def _exists(path: str) -> bool:
    try:
        _lstat(path)
    except OSError:
        return False
    return True


class Sandbox:
    """The redirection of one process; `written` and `refused` are what the report lists.

    So are `programs` that it started, and `uncontained` connections that lead out of it.

    `peers` are the scratch trees of other ranks. What they wrote can be read, as on one file system, but
    each rank writes into its own tree.
    """

    def __init__(self, scratch: str, free: tuple[str, ...] = (), peers: tuple[str, ...] = ()) -> None:
        # Without links, so that what leads out of the scratch tree can be told.
        self.scratch = os.path.realpath(scratch)
        self._trees = (self.scratch, *map(os.path.realpath, peers))
        self.written: dict[str, None] = {}
        self.refused: dict[str, None] = {}
        self.uncontained: dict[str, None] = {}
        self.programs: dict[str, None] = {}
        self._unguarded = ""
        self._mistake = ""
        self._free = (*self._trees, scratch, *free, *map(os.path.realpath, free), *_FREE)
        self.folder = ""
        """Where the script believes to be, if that folder exists in the scratch tree only."""

    def watch(self) -> None:
        """Refuse, for the rest of the process, what Python itself is about to change outside."""
        sys.addaudithook(self._safely)

    def guard(self, folders: tuple[str, ...]) -> None:
        """Have the kernel refuse whatever this process and all that it starts write outside of `folders`."""
        self._unguarded = landlock.restrict((*folders, *_FREE))

    def remarks(self, failure: Failure | None) -> list[str]:
        """What the report says of what was kept from whom, and what could not be."""
        about = "not contained" if self._unguarded else "started, unable to write outside of the scratch tree"
        notes = [f"{about}: {', '.join(self.programs)}"] if self.programs else []
        notes += [f"not contained: {what}" for what in self.uncontained]
        notes += [self._mistake] if self._mistake else []
        if self._unguarded:
            notes.append(f"writes of native code and other programs are not contained: {self._unguarded}")
        elif failure is not None and (
            os.strerror(errno.EACCES) in failure.message or (self.programs and failure.type in _MISSED)
        ):
            notes.append(_REFUSES)
        return notes

    def shadow(self, path: str) -> str:
        """Where the scratch tree keeps `path`."""
        return self.scratch + _absolute(path)

    def is_free(self, path: str) -> bool:
        """Whether `path` needs no redirection: devices, and the scratch tree itself."""
        return _absolute(path).startswith(self._free)

    def for_reading(self, path: Any, *, follow: bool = True) -> Any:
        """The file to read for `path`: the scratch copy where there is one.

        A link in the scratch tree stands for what it leads to, unless `follow` is False.
        """
        text = text_of(path)
        # Where linecache cannot be spared (it imports os again), at least the libraries' sources are.
        if text is None or (text.endswith(".py") and text.startswith(_LIBRARY)):
            return path
        whole = _absolute(text)
        if whole.startswith(self._free):
            return path
        shadow = self._written(whole)
        if shadow and follow and (target := self._outside(shadow)):
            return self.for_reading(_like(path, target))
        return _like(path, shadow or whole) if shadow or self.folder else path

    def change_folder(self, path: Any) -> None:
        """Go to a folder, if need be to its scratch copy."""
        text = text_of(path)
        whole = _absolute(text) if text is not None else ""
        shadow = "" if not whole or whole.startswith(self._free) or _exists(whole) else self._written(whole)
        _chdir(shadow or (whole if self.folder and whole else path))
        self.folder = whole if shadow else ""

    def _written(self, whole: str) -> str:
        """The scratch copy of an absolute path, this rank's own before others'; "" where there is none."""
        return next((tree + whole for tree in self._trees if _exists(tree + whole)), "")

    def for_writing(self, path: Any, *, keep: bool) -> Any:
        """The file to write for `path`; with `keep` an existing file is copied into the scratch tree first.

        Raises:
            FileNotFoundError: the folder that would hold the file does not exist, here or in scratch, and no
                program was started that could have made it.
        """
        text = text_of(path)
        if text is None or self.is_free(text):
            return path
        shadow = self.shadow(text)
        self._prepare(text, shadow)
        if target := self._outside(shadow):
            return self.for_writing(_like(path, target), keep=keep)
        if keep and not _exists(shadow):
            if os.path.isfile(text):
                shutil.copy2(text, shadow)
            elif os.path.isdir(text):
                os.makedirs(shadow)
        self.written[os.path.abspath(text)] = None
        return _like(path, shadow)

    def _outside(self, shadow: str) -> str:
        """The user's file that a path of the scratch tree leads to, by links that the script made; or ""."""
        target = os.path.realpath(shadow)
        return target if target != shadow and not self.is_free(target) else ""

    def _prepare(self, text: str, shadow: str) -> None:
        folder, shadow_folder = os.path.dirname(os.path.abspath(text)), os.path.dirname(shadow)
        if not _exists(shadow_folder):
            # A program may have been refused to make it (`os.system("mkdir -p runs")`).
            if not os.path.isdir(folder) and not self.programs:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
            os.makedirs(shadow_folder, exist_ok=True)

    def for_removal(self, path: Any, dir_fd: int | None, what: str) -> Any:
        """The scratch file that the script may remove in place of `path`.

        Raises:
            PermissionError: `path` is not in the scratch tree.
        """
        text = text_of(path)
        if text is None:
            return path
        if dir_fd is not None:
            text = os.path.join(os.readlink(f"/proc/self/fd/{dir_fd}"), text)
        if self.is_free(text):
            return path
        shadow = self._written(_absolute(text))
        if shadow:
            return _like(path, shadow)
        if not _exists(_absolute(text)):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
        self.refuse(what, text)
        raise AssertionError("refuse always raises")

    def refuse(self, what: str, text: str) -> None:
        """Record and refuse.

        Raises:
            PermissionError: always.
        """
        self.refused[f"{what} {os.path.abspath(text)}"] = None
        raise PermissionError(errno.EPERM, f"memlint replay refuses {what} (see --no-sandbox)", text)

    def folders(self, path: Any) -> list[Any]:
        """The folders that together hold the entries of `path`: the scratch one first."""
        text = text_of(path)
        if text is None or self.is_free(text):
            return [path]
        whole = _absolute(text)
        found = [_like(path, tree + whole) for tree in self._trees if _exists(tree + whole)]
        there = _like(path, whole) if self.folder else path
        return [*found, there] if _exists(whole) or not found else found

    def _safely(self, event: str, args: tuple[Any, ...]) -> None:
        try:
            self._audit(event, args)
        except PermissionError:
            raise
        except Exception as error:
            self._mistake = f"{type(error).__name__} in memlint at {event}: an access was not looked at"

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event in ("os.remove", "os.rmdir", "os.rename", "os.truncate"):
            relative = event in ("os.remove", "os.rmdir") and isinstance(args[1], int) and args[1] != -1
            text = text_of(args[0])
            if text is not None and not relative and not self.is_free(text):
                self.refuse(event, text)
        elif event == "open" and isinstance(args[2], int) and args[2] & WRITES:
            text = text_of(args[0])
            if text is not None and not self.is_free(text):
                self.refuse("opening for writing", text)
        elif event in _PROGRAMS:
            self.programs.setdefault(_command(args[0], args[1] if event != "os.system" else ())[:80])
        elif event in _CONNECTIONS and not self._is_harmless(what := args[_CONNECTIONS[event]]):
            self.uncontained.setdefault(f"{event} {str(what)[:80]}")

    def _is_harmless(self, what: Any) -> bool:
        """Whether a socket or a database leads nowhere outside: to this replay's own files, or no file."""
        text = text_of(what) if isinstance(what, (str, bytes)) else None
        if text in ("", ":memory:"):
            return True
        name = (text or "").removeprefix("file:")
        return name.startswith("/") and self.is_free(name)


def _command(program: Any, words: Any) -> str:
    """The command line of a program, whose `words` begin with its name, in one line."""
    rest = list(words)[1:] if isinstance(words, (list, tuple)) else []
    return " ".join(" ".join(filter(None, map(text_of, [program, *rest]))).split())


def _absolute(path: str) -> str:
    # A script may open a file for every sample: what is surely normal already is not made so again.
    if path.startswith("/") and "/." not in path and "//" not in path and not path.endswith("/"):
        return path
    return os.path.abspath(path)


def text_of(path: Any) -> str | None:
    """A path as text; None for what is none, such as a file descriptor."""
    if type(path) is str:
        return path
    if isinstance(path, int) or path is None:
        return None
    try:
        value = os.fspath(path)
    except TypeError:
        return None
    return os.fsdecode(value)


def _like(path: Any, text: str) -> Any:
    if isinstance(path, bytes):
        return os.fsencode(text)
    return Path(text) if isinstance(path, Path) else text
