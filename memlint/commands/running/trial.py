"""Whether a simulation can start: tried in a fork of what its runs are forked from, or in a new process."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time

from memlint.errors import UsageError
from memlint.runtime.parent.arms import KILL
from memlint.runtime.parent.launcher import POLL
from memlint.runtime.parent.runs import Runs
from memlint.runtime.simulate import LATE, TIMEOUT, in_words, why_not
from memlint.runtime.start import TRIAL


def expect_simulation(runs: Runs, subject: str) -> None:
    """Try it, before any code of the script runs.

    Raises:
        UsageError: it cannot; the message begins with the subject.
    """
    reason = _in_fork(runs)
    if reason is None:
        reason = why_not()
    if reason:
        runs.launcher.close()
        raise UsageError(f"{subject} cannot start here: {reason}")


def _in_fork(runs: Runs) -> str | None:
    """What a trial in a fork said, as `why_not`; None where nothing can be forked."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull) as nothing:
        child = runs.forked(TRIAL, (nothing.fileno(), out.fileno(), err.fileno()))
        if child is None:
            return None
        end = time.monotonic() + TIMEOUT
        while (status := child.poll()) is None:
            if time.monotonic() > end:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child.pid, KILL)
                return LATE
            time.sleep(POLL / 10)
        printed = []
        for stream in (out, err):
            stream.seek(0)
            printed.append(stream.read().decode(errors="replace"))
    return in_words(status, *printed)
