"""What a run needs to leave its result, whatever the script has done to its process by then.

Scripts lower limits, close descriptors that are not theirs (to become a daemon), change the umask, fill the
disk and replace functions of Python. The result is written by functions as they were before, under the limits
that there were, into room that was kept for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import asdict

from memlint.session import Arm

try:
    import fcntl
    import resource
except ImportError:
    # Windows, where nothing below needs them: the module can be imported all the same.
    pass

HIGH = 500
"""The lowest descriptor of memlint's own: above those that a script closes by range, or gets again."""

ROOM = 1 << 20
"""Bytes that are kept for the result: several times what most results take."""

_open, _open_file, _replace, _remove, _umask = open, os.open, os.replace, os.remove, os.umask
_encode = json.JSONEncoder().encode
if sys.platform != "win32":
    _getrlimit, _setrlimit = resource.getrlimit, resource.setrlimit


def opened(path: str, flags: int = 0) -> int:
    """A descriptor to write a file of memlint's with, out of the script's reach."""
    return out_of_reach(_open_file(path, os.O_WRONLY | os.O_CREAT | flags, 0o600))


def contents(path: str) -> bytes:
    """What such a file holds."""
    with _open(path, "rb") as file:
        return file.read()


def out_of_reach(descriptor: int) -> int:
    """The same open file under a high number; the descriptor itself where there are not so many."""
    if sys.platform == "win32":
        return descriptor
    try:
        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except OSError:
        return descriptor
    os.close(descriptor)
    return high


def keep_limits() -> None:
    """Let the script lower only the limits that can be raised again: the soft ones (setrlimit(2))."""
    if sys.platform == "win32":
        return
    real = resource.setrlimit

    def setrlimit(kind: int, limits: tuple[int, int], /) -> None:
        soft, hard = limits
        known = resource.getrlimit(kind)[1]
        lowered = hard != resource.RLIM_INFINITY and (known == resource.RLIM_INFINITY or hard < known)
        # What is no valid pair is left to the system, which says so.
        valid = soft != resource.RLIM_INFINITY and soft <= hard
        real(kind, (soft, known) if lowered and valid else limits)

    resource.setrlimit = setrlimit


def keep_room(path: str) -> None:
    """Keep room on the disk for the result, as far as there is any."""
    with contextlib.suppress(OSError), _open(f"{path}.room", "wb") as file:
        file.write(bytes(ROOM))


def write(arm: Arm, path: str) -> None:
    """Write the measurements as JSON to a file, all of them or none."""
    text = _encode(asdict(arm))
    with contextlib.suppress(OSError):
        _remove(f"{path}.room")
    unfinished = f"{path}.part"
    with _open(unfinished, "w", encoding="utf-8") as file:
        file.write(text)
    _replace(unfinished, path)


def make_way() -> None:
    """Take back what keeps files from being read and written: lowered limits, and the umask."""
    _umask(0o077)
    if sys.platform != "win32":
        for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_DATA):
            hard = _getrlimit(kind)[1]
            _setrlimit(kind, (hard, hard))
