"""Memory of the process as the operating system and the C library see it, without torch."""

from __future__ import annotations

import ctypes
import mmap
import multiprocessing.process
import multiprocessing.reduction
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

UNKNOWN = -1

_HELPERS = ("torch.utils.data", "multiprocessing.", "concurrent.futures.")


_UNUSED = ["arena", "ordblks", "smblks", "hblks", "usmblks", "fsmblks", "fordblks", "keepcost"]


class _Mallinfo(ctypes.Structure):
    """struct mallinfo2 of glibc 2.33 and later; all fields are byte or block counts."""

    _fields_ = [
        (name, ctypes.c_size_t) for name in [*_UNUSED[:4], "hblkhd", *_UNUSED[4:6], "uordblks", *_UNUSED[6:]]
    ]


class Sampler:
    """Answers how many bytes are in use on the host, to the byte where the C library can tell."""

    def __init__(self) -> None:
        self._mallinfo: Any = getattr(ctypes.CDLL(None), "mallinfo2", None)
        if self._mallinfo is not None:
            self._mallinfo.restype = _Mallinfo

    def malloc_bytes(self) -> int:
        """Bytes handed out by malloc and not freed; resident bytes where there is no mallinfo2."""
        if self._mallinfo is None:
            return resident_bytes()
        info = self._mallinfo()
        return int(info.uordblks + info.hblkhd)

    def worker_bytes(self) -> int:
        """Private bytes of all child processes together (0 without children)."""
        return sum(max(0, private_bytes(pid)) for pid in children(os.getpid()))

    def shared_bytes(self) -> int:
        """Bytes of the tensors in shared memory that this process and its children hold (0 without children).

        Torch sends a tensor by its file below /dev/shm, which has no name any more; who holds it has it open.
        """
        workers = children(os.getpid())
        sizes: dict[int, int] = {}
        for pid in [os.getpid(), *workers] if workers else []:
            sizes |= _shared_files(pid)
        return sum(sizes.values())


def _shared_files(pid: int) -> dict[int, int]:
    """Inode and size of each file of shared memory that a process has open, {} where /proc does not tell."""
    found: dict[int, int] = {}
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                if os.readlink(entry).startswith("/dev/shm/"):
                    status = entry.stat()
                    found[status.st_ino] = status.st_size
    except OSError:
        return found
    return found


def weigh_processes(tell: Callable[[int], None]) -> None:
    """Tell, of every process that multiprocessing spawns, how many bytes of pickled objects it is sent.

    A forked process is sent nothing; of tensors on the CPU, only their names are.
    """
    real = multiprocessing.reduction.dump

    def dump(obj: Any, file: Any, protocol: int | None = None) -> None:
        measures = isinstance(obj, multiprocessing.process.BaseProcess) and hasattr(file, "tell")
        before = file.tell() if measures else 0
        real(obj, file, protocol)
        if measures:
            tell(file.tell() - before)

    multiprocessing.reduction.dump = dump


def count_processes(tell: Callable[[], None]) -> None:
    """Report every process that multiprocessing starts for code of the script, or of a library of it.

    Loaders' workers, pools' and managers' processes run functions of their own, and are left out.
    """
    process = multiprocessing.process.BaseProcess
    real = process.start

    @wraps(real)
    def start(started: Any) -> None:
        # Once it runs, it forgets its target.
        module = getattr(getattr(started, "_target", None), "__module__", None) or ""
        real(started)
        if not module.startswith(_HELPERS):
            tell()

    setattr(process, "start", start)  # noqa: B010 - mypy takes methods for fixed


def resident_bytes(pid: int | str = "self") -> int:
    """Resident set of a process in bytes, UNKNOWN where /proc does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return UNKNOWN
    return int(pages) * mmap.PAGESIZE


def private_bytes(pid: int) -> int:
    """Bytes that only this process maps (USS), UNKNOWN where /proc does not tell."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return UNKNOWN
    return sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Private_"))


def children(pid: int) -> list[int]:
    """Child processes of every thread of `pid`, [] where /proc does not tell."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text(encoding="ascii").split())
    except OSError:
        return found
    return found


def total_bytes() -> int:
    """Physical memory of the machine in bytes, UNKNOWN where the system has no POSIX way to ask."""
    if sys.platform == "win32":
        return UNKNOWN
    return mmap.PAGESIZE * os.sysconf("SC_PHYS_PAGES")


def is_weighed() -> bool:
    """Whether the system or its C library says how much memory a process holds; macOS does neither."""
    return Sampler().malloc_bytes() != UNKNOWN


def why_no_replay() -> str:
    """Why this system cannot run replays, "" where it can."""
    if not hasattr(os, "killpg"):
        return "replay runs on Linux and macOS: this system has no process groups, by which a run is ended"
    return ""
