"""Sends what a script writes into a scratch tree, and refuses to remove anything outside of it.

Paths that the script wrote are read back from the scratch tree, so that saving and loading a checkpoint
works; files that were there before are never touched. The functions of `os`, `open` and `torch.save`
are redirected, and so are those of libraries that open files in native code (`writers`); an audit hook
refuses what slips past them in Python, the kernel what native code and other programs do (`landlock`). In
a folder that exists in the scratch tree only, the process is there, and `os.getcwd` says where the script
believes to be.
"""

from __future__ import annotations

import builtins
import errno
import io
import linecache
import os
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from memlint.runtime import landlock

_LIBRARY = tuple({os.path.join(sysconfig.get_path(key), "") for key in ("stdlib", "purelib", "platlib")})
_FREE = ("/dev/", "/proc/", "/sys/")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PROGRAMS = {"subprocess.Popen": 0, "os.system": 0, "os.posix_spawn": 0}
_CONNECTIONS = {"socket.connect": 1, "sqlite3.connect": 0}
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
        self.scratch = scratch
        self._trees = (scratch, *peers)
        self.written: dict[str, None] = {}
        self.refused: dict[str, None] = {}
        self.uncontained: dict[str, None] = {}
        self.programs: dict[str, None] = {}
        self._unguarded = ""
        self._free = (*self._trees, *free, *_FREE)
        self.folder = ""
        """Where the script believes to be, if that folder exists in the scratch tree only."""

    def install(self) -> None:
        """Redirect for the rest of the process."""
        # Source is read where it lies: detect_anomaly asks for each frame's file in every operation.
        setattr(linecache, "os", SimpleNamespace(**vars(os)))  # noqa: B010 - mypy's stubs lack it
        _patch_open(self)
        _patch_os(self)
        sys.addaudithook(self._audit)

    def guard(self, folders: tuple[str, ...]) -> None:
        """Have the kernel refuse whatever this process and all that it starts write outside of `folders`."""
        self._unguarded = landlock.restrict((*folders, *_FREE))

    def remarks(self, failure: str | None) -> list[str]:
        """What the report says of what was kept from whom, and what could not be.

        `failure` is the message of the exception that ended the script, None where none did.
        """
        about = "not contained" if self._unguarded else "started, unable to write outside of the scratch tree"
        notes = [f"{about}: {', '.join(self.programs)}"] if self.programs else []
        notes += [f"not contained: {what}" for what in self.uncontained]
        if self._unguarded:
            notes.append(f"writes of native code and other programs are not contained: {self._unguarded}")
        elif failure is not None and (self.programs or os.strerror(errno.EACCES) in failure):
            notes.append(_REFUSES)
        return notes

    def shadow(self, path: str) -> str:
        """Where the scratch tree keeps `path`."""
        return self.scratch + _absolute(path)

    def is_free(self, path: str) -> bool:
        """Whether `path` needs no redirection: devices, and the scratch tree itself."""
        return _absolute(path).startswith(self._free)

    def for_reading(self, path: Any) -> Any:
        """The file to read for `path`: the scratch copy where there is one."""
        text = _text(path)
        # Where linecache cannot be spared (it imports os anew), at least the libraries' sources are.
        if text is None or (text.endswith(".py") and text.startswith(_LIBRARY)):
            return path
        whole = _absolute(text)
        if whole.startswith(self._free):
            return path
        shadow = self._written(whole)
        return _like(path, shadow or whole) if shadow or self.folder else path

    def change_folder(self, path: Any) -> None:
        """Go to a folder, if need be to its scratch copy."""
        text = _text(path)
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
            FileNotFoundError: the folder that would hold the file does not exist, here or in scratch.
        """
        text = _text(path)
        if text is None or self.is_free(text):
            return path
        shadow = self.shadow(text)
        self._prepare(text, shadow)
        if keep and not _exists(shadow):
            if os.path.isfile(text):
                shutil.copy2(text, shadow)
            elif os.path.isdir(text):
                os.makedirs(shadow)
        self.written[os.path.abspath(text)] = None
        return _like(path, shadow)

    def _prepare(self, text: str, shadow: str) -> None:
        folder, shadow_folder = os.path.dirname(os.path.abspath(text)), os.path.dirname(shadow)
        if not _exists(shadow_folder):
            if not os.path.isdir(folder):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
            os.makedirs(shadow_folder, exist_ok=True)

    def for_removal(self, path: Any, dir_fd: int | None, what: str) -> Any:
        """The scratch file that the script may remove in place of `path`.

        Raises:
            PermissionError: `path` is not in the scratch tree.
        """
        text = _text(path)
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
        text = _text(path)
        if text is None or self.is_free(text):
            return [path]
        whole = _absolute(text)
        found = [_like(path, tree + whole) for tree in self._trees if _exists(tree + whole)]
        there = _like(path, whole) if self.folder else path
        return [*found, there] if _exists(whole) or not found else found

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event in ("os.remove", "os.rmdir", "os.rename", "os.truncate"):
            relative = event in ("os.remove", "os.rmdir") and isinstance(args[1], int) and args[1] != -1
            text = _text(args[0])
            if text is not None and not relative and not self.is_free(text):
                self.refuse(event, text)
        elif event == "open" and isinstance(args[2], int) and args[2] & _WRITES:
            text = _text(args[0])
            if text is not None and not self.is_free(text):
                self.refuse("opening for writing", text)
        elif event in _PROGRAMS:
            self.programs.setdefault(str(args[_PROGRAMS[event]])[:80])
        elif event in _CONNECTIONS and not self._is_harmless(what := args[_CONNECTIONS[event]]):
            self.uncontained.setdefault(f"{event} {str(what)[:80]}")

    def _is_harmless(self, what: Any) -> bool:
        """Whether a socket or a database leads nowhere outside: to this replay's own files, or no file."""
        text = _text(what) if isinstance(what, (str, bytes)) else None
        if text in ("", ":memory:"):
            return True
        name = (text or "").removeprefix("file:")
        return name.startswith("/") and self.is_free(name)


class _Entries:
    """What os.scandir returns, over several folders; of equal names the first folder's wins."""

    def __init__(self, folders: list[Any], real: Callable[..., Any]) -> None:
        found: dict[Any, Any] = {}
        for folder in folders:
            with real(folder) as entries:
                for entry in entries:
                    found.setdefault(entry.name, entry)
        self._left = iter(found.values())

    def __iter__(self) -> _Entries:
        return self

    def __next__(self) -> Any:
        return next(self._left)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is held open."""


def _absolute(path: str) -> str:
    # A script may open a file for every sample: what is surely normal already is not made so again.
    if path.startswith("/") and "/." not in path and "//" not in path and not path.endswith("/"):
        return path
    return os.path.abspath(path)


def _text(path: Any) -> str | None:
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


def _patch_open(box: Sandbox) -> None:
    real = builtins.open

    def contained_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("opener") is None and isinstance(mode, str):
            if set(mode) & set("wax+"):
                file = box.for_writing(file, keep="w" not in mode)
            else:
                file = box.for_reading(file)
        return real(file, mode, *args, **kwargs)

    builtins.open = contained_open
    io.open = contained_open


def _patch_os(box: Sandbox) -> None:
    _patch_reading(box)
    _patch_creating(box)
    _patch_removing(box)
    _patch_folder(box)
    real_open = os.open

    def contained_open(path: Any, flags: int, *args: Any, dir_fd: int | None = None, **kwargs: Any) -> int:
        if dir_fd is None:
            if flags & _WRITES:
                path = box.for_writing(path, keep=not flags & os.O_TRUNC)
            else:
                path = box.for_reading(path)
        return real_open(path, flags, *args, dir_fd=dir_fd, **kwargs)

    os.open = contained_open


def _patch_folder(box: Sandbox) -> None:
    real, real_bytes = os.getcwd, os.getcwdb
    os.getcwd = lambda: box.folder or real()
    os.getcwdb = lambda: os.fsencode(box.folder) if box.folder else real_bytes()
    os.chdir = box.change_folder


def _patch_reading(box: Sandbox) -> None:
    for name in ("stat", "lstat", "access", "readlink"):
        setattr(os, name, _reader(box, getattr(os, name)))
    real_listdir, real_scandir = os.listdir, os.scandir

    def listdir(path: Any = ".") -> list[Any]:
        return list(dict.fromkeys(name for folder in box.folders(path) for name in real_listdir(folder)))

    def scandir(path: Any = ".") -> Any:
        folders = box.folders(path)
        return real_scandir(folders[0]) if len(folders) == 1 else _Entries(folders, real_scandir)

    os.listdir = listdir
    os.scandir = scandir


def _reader(box: Sandbox, real: Callable[..., Any]) -> Callable[..., Any]:
    def contained(path: Any = ".", *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("dir_fd") is None:
            path = box.for_reading(path)
        return real(path, *args, **kwargs)

    return contained


def _patch_creating(box: Sandbox) -> None:
    real_mkdir, real_truncate = os.mkdir, os.truncate

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        text = _text(path)
        if dir_fd is None and text is not None and not box.is_free(text) and os.path.lexists(text):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), text)
        real_mkdir(path if dir_fd is not None else box.for_writing(path, keep=False), mode, dir_fd=dir_fd)

    os.mkdir = mkdir
    os.truncate = lambda path, length: real_truncate(box.for_writing(path, keep=True), length)
    for name in ("chmod", "utime"):
        setattr(os, name, _toucher(box, getattr(os, name)))
    for name in ("symlink", "link"):
        setattr(os, name, _linker(box, getattr(os, name)))


def _toucher(box: Sandbox, real: Callable[..., None]) -> Callable[..., None]:
    def contained(path: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("dir_fd") is None:
            path = box.for_writing(path, keep=True)
        real(path, *args, **kwargs)

    return contained


def _linker(box: Sandbox, real: Callable[..., None]) -> Callable[..., None]:
    def contained(src: Any, dst: Any, *args: Any, **kwargs: Any) -> None:
        real(src, box.for_writing(dst, keep=False), *args, **kwargs)

    return contained


def _patch_removing(box: Sandbox) -> None:
    for name in ("remove", "unlink", "rmdir"):
        setattr(os, name, _remover(box, name, getattr(os, name)))
    for name in ("rename", "replace"):
        setattr(os, name, _mover(box, name, getattr(os, name)))


def _remover(box: Sandbox, name: str, real: Callable[..., None]) -> Callable[..., None]:
    def contained(path: Any, *, dir_fd: int | None = None) -> None:
        path = box.for_removal(path, dir_fd, f"os.{name}")
        real(path, dir_fd=dir_fd)

    return contained


def _mover(box: Sandbox, name: str, real: Callable[..., None]) -> Callable[..., None]:
    def contained(src: Any, dst: Any, *args: Any, **kwargs: Any) -> None:
        source = box.for_removal(src, kwargs.get("src_dir_fd"), f"os.{name}")
        real(source, box.for_writing(dst, keep=False), *args, **kwargs)

    return contained
