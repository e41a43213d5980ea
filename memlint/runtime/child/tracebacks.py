"""Shows an exception of the script as Python would have shown it without a replay."""

from __future__ import annotations

import contextlib
import sys
import traceback

from memlint.runtime.child.private import OPERATORS_FILE
from memlint.runtime.child.project import PACKAGE

_CALLED = (OPERATORS_FILE,)
"""Files whose frames are there only because memlint calls operators from Python."""


def show(error: BaseException) -> None:
    """Print the traceback, also of what caused it, without the frames that a replay adds."""
    shown = traceback.TracebackException.from_exception(error)
    _clean(shown)
    with contextlib.suppress(OSError):  # the script may have filled the disk that it is written to
        sys.stderr.write("".join(shown.format()))


def _clean(shown: traceback.TracebackException | None) -> None:
    if shown is None:
        return
    frames, added = [], False
    for frame in shown.stack:
        added = frame.filename.startswith(PACKAGE) or (added and frame.filename in _CALLED)
        if not added:
            frames.append(frame)
    shown.stack[:] = frames
    group = getattr(shown, "exceptions", None) or ()
    for other in (shown.__cause__, shown.__context__, *group):
        _clean(other)
