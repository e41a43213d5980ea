"""`memlint check --watch`: the same check again whenever one of its files has changed.

Every check is a process of its own: what one has found out about imports must not outlive a change.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from memlint.config.files import NAMES
from memlint.source.files import listed

PAUSE = 0.5
"""Seconds between two looks at the files."""

State = dict[str, tuple[int, int]]


def watch(arguments: Sequence[str], paths_now: Callable[[], Iterable[str]], pause: float = PAUSE) -> int:
    """Run `memlint check ARGUMENTS` now and after every change, until Ctrl-C; 130 then.

    `paths_now` are the files of the check as they are on disk at the moment.
    """
    # Without `-P`, a `memlint.py` in the current folder would be run instead.
    command = [sys.executable, "-P", "-m", "memlint", "check", *arguments]
    while True:
        before = _state(paths_now())
        if sys.stdout.isatty():
            # The screen, and what was scrolled out of it.
            sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        sys.stdout.flush()
        subprocess.run(command, check=False)
        print("memlint: watching for changes, Ctrl-C ends it", file=sys.stderr)
        while _state(paths_now()) == before:
            time.sleep(pause)


def _state(paths: Iterable[str]) -> State:
    """Time of the last change in nanoseconds and size in bytes, by path; of files beside them too.

    A script may import what lies beside it, and settings lie above it.
    """
    seen = {os.path.abspath(path) for path in paths}
    folders = {Path(path).parent for path in seen}
    seen |= {str(file) for folder in folders for file in listed(folder, "*.py")}
    above = {parent for folder in folders for parent in (folder, *folder.parents)}
    seen |= {str(folder / name) for folder in above for name in NAMES}
    found: State = {}
    for path in seen:
        try:
            status = os.stat(path)
        except OSError:
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found
