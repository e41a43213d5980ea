"""The functions of `open` and `os` that take a path, sent through the sandbox."""

from __future__ import annotations

import builtins
import errno
import io
import linecache
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from memlint.runtime.child.containment.sandbox import WRITES, Sandbox, text_of

_READERS = ("stat", "access", "statvfs", "pathconf", "getxattr", "listxattr")
_READERS_OF_LINKS = ("lstat", "readlink")
_TOUCHERS = ("chmod", "utime", "chown", "lchown", "setxattr", "removexattr")
_MAKERS = ("mkfifo", "mknod")

_KEEP_THE_REAL_ONES = {"__main__", "memlint", "posix", "nt", "_io"}
"""Modules that are to reach the files themselves: this package, and those that define the functions."""


def contain(box: Sandbox) -> None:
    """Redirect for the rest of the process."""
    # Source is read where it lies: detect_anomaly asks for each frame's file in every operation.
    setattr(linecache, "os", SimpleNamespace(**vars(os)))  # noqa: B010 - mypy's stubs lack it
    before = {**vars(os), "open of builtins": builtins.open}
    for redirect in (_open, _os_open, _reading, _creating, _linking, _removing, _folder):
        redirect(box)
    after = {**vars(os), "open of builtins": builtins.open}
    _rebind({id(real): after[name] for name, real in before.items() if after[name] is not real})


def _rebind(contained: Mapping[int, Any]) -> None:
    """Have modules that copied a function when they were imported (bz2, tarfile) use its replacement."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _KEEP_THE_REAL_ONES:
            continue
        for variable, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in contained:
                setattr(module, variable, contained[id(value)])


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


def _replace(names: tuple[str, ...], contained: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    # Not every platform has all of them.
    for name in names:
        if hasattr(os, name):
            setattr(os, name, contained(getattr(os, name)))


def _open(box: Sandbox) -> None:
    real = builtins.open

    def contained_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if isinstance(mode, str):
            if set(mode) & set("wax+"):
                file = box.for_writing(file, keep="w" not in mode)
            else:
                file = box.for_reading(file)
        return real(file, mode, *args, **kwargs)

    builtins.open = contained_open
    io.open = contained_open


def _os_open(box: Sandbox) -> None:
    real_open = os.open

    def contained_open(path: Any, flags: int, *args: Any, dir_fd: int | None = None, **kwargs: Any) -> int:
        if dir_fd is None:
            if flags & WRITES:
                path = box.for_writing(path, keep=not flags & os.O_TRUNC)
            else:
                path = box.for_reading(path)
        return real_open(path, flags, *args, dir_fd=dir_fd, **kwargs)

    os.open = contained_open


def _folder(box: Sandbox) -> None:
    real, real_bytes = os.getcwd, os.getcwdb
    os.getcwd = lambda: box.folder or real()
    os.getcwdb = lambda: os.fsencode(box.folder) if box.folder else real_bytes()
    os.chdir = box.change_folder


def _reading(box: Sandbox) -> None:
    _replace(_READERS, lambda real: _reader(box, real, follow=True))
    _replace(_READERS_OF_LINKS, lambda real: _reader(box, real, follow=False))
    real_listdir, real_scandir = os.listdir, os.scandir

    def listdir(path: Any = ".") -> list[Any]:
        return list(dict.fromkeys(name for folder in box.folders(path) for name in real_listdir(folder)))

    def scandir(path: Any = ".") -> Any:
        folders = box.folders(path)
        return real_scandir(folders[0]) if len(folders) == 1 else _Entries(folders, real_scandir)

    os.listdir = listdir
    os.scandir = scandir


def _reader(box: Sandbox, real: Callable[..., Any], *, follow: bool) -> Callable[..., Any]:
    def contained(path: Any = ".", *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("dir_fd") is None:
            path = box.for_reading(path, follow=follow)
        return real(path, *args, **kwargs)

    return contained


def _creating(box: Sandbox) -> None:
    real_mkdir, real_truncate = os.mkdir, os.truncate

    def mkdir(path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        text = text_of(path)
        if dir_fd is None and text is not None and not box.is_free(text) and os.path.lexists(text):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), text)
        real_mkdir(path if dir_fd is not None else box.for_writing(path, keep=False), mode, dir_fd=dir_fd)

    os.mkdir = mkdir
    os.truncate = lambda path, length: real_truncate(box.for_writing(path, keep=True), length)
    _replace(_TOUCHERS, lambda real: _changer(box, real, keep=True))
    _replace(_MAKERS, lambda real: _changer(box, real, keep=False))


def _changer(box: Sandbox, real: Callable[..., None], *, keep: bool) -> Callable[..., None]:
    def contained(path: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("dir_fd") is None:
            path = box.for_writing(path, keep=keep)
        real(path, *args, **kwargs)

    return contained


def _linking(box: Sandbox) -> None:
    real = os.symlink

    def symlink(src: Any, dst: Any, *args: Any, **kwargs: Any) -> None:
        text = os.fsdecode(src)
        meant = os.path.join(os.path.dirname(os.path.abspath(os.fsdecode(dst))), text)
        found = box.for_reading(meant)
        # Below the scratch tree a relative link finds what is there, but not what only the user's tree has.
        if os.path.isabs(text) or (os.path.lexists(meant) and not box.is_free(found)):
            src = found
        real(src, box.for_writing(dst, keep=False), *args, **kwargs)

    def link(src: Any, dst: Any, **kwargs: Any) -> None:
        # Through a second name of a user's file the file itself could be written to: so it is a copy.
        if os.path.lexists(dst):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), text_of(dst))
        shutil.copy2(src, dst, follow_symlinks=kwargs.get("follow_symlinks", True))

    os.symlink, os.link = symlink, link


def _removing(box: Sandbox) -> None:
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
