"""Starts the processes of runs: forks of one that has imported torch, where the system can do that."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol

from memlint.runtime import start

READY, STARTED, ENDED = "ready", "started", "ended"
LONGEST = 1 << 16
POLL = 0.05
IDLE = {"OMP_WAIT_POLICY": "passive"}
"""What torch's threads do between two operations: they sleep. By default they try again for a while, which
beside other jobs takes most of a replay's processor time. It is read once, when torch is imported
(`initialize_env` in libgomp's env.c); the runs do not find it in their environment."""


class Process(Protocol):
    """What is asked of a run's process: as `subprocess.Popen` has it."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""

    def wait(self) -> int:
        """The exit status, once it has ended."""


class Forked:
    """A process that the launcher has forked, as `Process`."""

    def __init__(self, pid: int, line: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._line = line

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._looked(0.0)

    def wait(self) -> int:
        """The exit status, once it has ended."""
        while (status := self._looked(1.0)) is None:
            pass
        return status

    def _looked(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._line], [], [], seconds)[0]:
            word, _, status = _received(self._line).partition(" ")
            if word == ENDED:
                self.returncode = int(status)
            elif not _exists(self.pid):
                # The launcher has gone, and with it the status.
                self.returncode = 0
            else:
                time.sleep(min(seconds, POLL))
        return self.returncode


class Launcher:
    """Owns the process that the runs are forked from; `start` makes it on first use.

    Runs that want another folder or environment get another one. Where it cannot be had (another system
    than Linux, a torch that starts other threads than NumPy's when imported), or has died, `start` gives
    nothing. `took` are the seconds of the last `start` that went into making it.
    """

    def __init__(self) -> None:
        self.took = 0.0
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._surroundings: tuple[str, Mapping[str, str]] | None = None

    def __enter__(self) -> Launcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(
        self,
        spec: str,
        result: str,
        streams: Sequence[int],
        folder: str,
        environment: Mapping[str, str],
        own: Mapping[str, str],
    ) -> Process | None:
        """A process that runs the spec, leads a session, and has the three `streams` as its standard ones.

        `environment` is what runs have in common, `own` what this one has besides.
        """
        self.took = 0.0
        if sys.platform != "linux":
            return None
        if self._surroundings != (folder, environment):
            self.close()
            began = time.monotonic()
            self._begin(folder, environment)
            self.took = time.monotonic() - began
        if self._line is None:
            return None
        unset = sorted(IDLE.keys() - environment.keys())
        asked = {"spec": spec, "result": result, "environment": dict(own), "unset": unset}
        message = json.dumps(asked).encode()
        try:
            socket.send_fds(self._line, [message], streams)
            word, _, pid = _received(self._line).partition(" ")
        except OSError:
            word = ""
        if word != STARTED:
            # From now on processes are started one by one.
            self._leave()
            return None
        return Forked(int(pid), self._line)

    def _begin(self, folder: str, environment: Mapping[str, str]) -> None:
        if sys.platform != "linux":
            return
        self._surroundings = (folder, environment)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, start.__file__, start.LAUNCHER, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**IDLE, **environment},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._line = ours
        if _received(ours) != READY:
            self._leave()

    def _leave(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            # It ends when its socket has; one that hangs while it imports torch does not.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the launcher; runs that it has started have ended by then."""
        self._leave()
        self._surroundings = None


def _received(line: socket.socket) -> str:
    try:
        return line.recv(LONGEST).decode()
    except OSError:
        return ""


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
