"""A process that has imported torch, and becomes the runs of a replay by forking.

Every run wants a process of its own, and half of the time of a short one goes into importing torch. Here
that happens once, before any code of the user, and each run is a fork: what it may do, what it sees and what
is measured in it are those of a process that has just imported torch. CUDA is not used before the fork (where
it has been, a fork cannot use it: `_lazy_init` in torch/cuda/__init__.py), and no thread is lost in it, as
`serve` makes sure.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import json
import os
import socket
import sys
import tempfile
from pathlib import Path

from memlint.runtime.child.private import COMPILER
from memlint.runtime.start import TRIAL

READY = "ready"
STARTED = "started"
ENDED = "ended"
LONGEST = 1 << 16
"""Bytes that one message may have."""

SIMULATION = "memlint.runtime.simulate.probe"

_THREADS = "/proc/self/task"


def serve(descriptor: int) -> str:
    """Answer requests from a socket. In each process that is forked for one, its spec's path is returned.

    The launcher itself does not return: it leaves when the other end of the socket is closed.

    Raises:
        OSError: this system forks no processes.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, "processes are forked on Linux only")
    line = socket.socket(fileno=descriptor)
    if not _can_fork():
        os._exit(1)
    line.send(READY.encode())
    while True:
        message, streams, _, _ = socket.recv_fds(line, LONGEST, 3)
        if not message:
            os._exit(0)
        asked = json.loads(message)
        if asked["spec"] == TRIAL:
            # Its optimizer imports this, and so does nearly every script's; simulated runs follow.
            _import(COMPILER, SIMULATION)
        child = os.fork()
        if not child:
            _become(asked["environment"], asked["unset"], streams, line)
            return str(asked["spec"])
        for stream in streams:
            os.close(stream)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        line.send(f"{ENDED} {status}".encode())
        # Whether, not what: a script may write there, and no sandbox holds this process.
        if os.path.exists(_imports(asked["result"])):
            _import(COMPILER)


def _import(*modules: str) -> None:
    """Import what the forks need. What cannot be imported is tried by them again, and reported there."""
    for module in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(module)


def _can_fork() -> bool:
    """Whether a fork has all that this process has: of several threads it would get one only.

    The threads of NumPy's OpenBLAS, which torch imports, end before a fork and begin again when they are
    needed (`openblas_fork_handler` in its driver/others/memory.c). Others, which may hold a lock, do not.
    """
    if sys.platform != "win32" and len(os.listdir(_THREADS)) > 1:
        if not (child := os.fork()):
            os._exit(0)
        os.waitpid(child, 0)
    return len(os.listdir(_THREADS)) == 1


def _become(environment: dict[str, str], unset: list[str], streams: list[int], line: socket.socket) -> None:
    """Turn the fork into what a new process would be: session, standard streams, environment."""
    if sys.platform != "win32":
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    for name in unset:
        os.environ.pop(name, None)
    os.environ.update(environment)
    # It may have been looked up while torch was imported.
    tempfile.tempdir = None
    line.send(f"{STARTED} {os.getpid()}".encode())
    line.close()


def note_imports(result: str) -> None:
    """Leave word for the launcher of what this run had to import besides torch, for the runs after it."""
    if COMPILER in sys.modules:
        Path(_imports(result)).touch()


def _imports(result: str) -> str:
    return f"{result}.imports"
