"""What the kernel itself refuses: writing outside of some folders, by this process and all that it starts.

Redirection reaches what Python opens; native code and other programs open files past it. Linux's Landlock
(https://docs.kernel.org/userspace-api/landlock.html) holds for those too, needs no privilege, and cannot be
taken back. It covers files' contents and names; modes and times are outside of it.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

_ABI_WANTED = 2
"""The first version that lets files be renamed from one folder into another (Linux 5.19)."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
# LANDLOCK_ACCESS_FS_*: WRITE_FILE, REMOVE_DIR, REMOVE_FILE, MAKE_* and REFER; TRUNCATE is of version 3.
_CHANGES = 1 << 1 | sum(1 << bit for bit in range(4, 14))
_TRUNCATE = 1 << 14


def restrict(folders: Iterable[str]) -> str:
    """Let this thread, and whatever it starts from now on, write below `folders` only.

    Folders that do not exist are left out. Returns why nothing was restricted, "" where it was.
    """
    try:
        return _restrict(ctypes.CDLL(None, use_errno=True), folders)
    except OSError as error:
        return f"Landlock: {error}"


def _restrict(kernel: ctypes.CDLL, folders: Iterable[str]) -> str:
    if sys.platform != "linux":
        return f"{sys.platform} has no Landlock"
    version = kernel.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    if version < _ABI_WANTED:
        return "this kernel has no Landlock, or one before Linux 5.19"
    changes = _CHANGES | (_TRUNCATE if version > _ABI_WANTED else 0)
    handled = struct.pack("=Q", changes)
    ruleset = _checked(kernel.syscall(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0))
    try:
        for folder in filter(os.path.isdir, folders):
            opened = os.open(folder, os.O_PATH | os.O_CLOEXEC)
            try:
                beneath = struct.pack("=Qi", changes, opened)
                _checked(kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, beneath, 0))
            finally:
                os.close(opened)
        _checked(kernel.prctl(_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0))))
        _checked(kernel.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)
    return ""


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
