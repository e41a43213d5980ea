"""The standard input of a replayed script: a terminal that has a size, at which nobody types.

Scripts ask it for its size (`stty size`, `os.get_terminal_size`), and many fail where there is none. Whoever
reads from it is at the end of the file at once. It also tells every process that holds it when memlint has
gone: it hangs up then, even where memlint was killed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

try:
    import fcntl
    import termios
except ImportError:
    # Windows, where nothing below is called: the module can be imported all the same.
    pass

_COLUMNS, _LINES = 80, 24
_STREAMS = (0, 1, 2)


class Terminal:
    """The parent's end. `theirs` is the descriptor that a child gets as its standard input."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            self.theirs, self._ours = os.pipe()
            return
        try:
            self._ours, self.theirs = os.openpty()
        except OSError:
            # Where there are no pseudo-terminals (a bare container): the child reads from the null device.
            self.theirs, self._ours = os.pipe()
            return
        modes = termios.tcgetattr(self.theirs)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        # Not even one character is waited for: a read that finds none is at the end of the file (termios(3)).
        modes[6][termios.VMIN] = modes[6][termios.VTIME] = 0
        termios.tcsetattr(self.theirs, termios.TCSANOW, modes)
        lines, columns = reversed(_size())
        termios.tcsetwinsize(self.theirs, (lines, columns))
        os.set_blocking(self._ours, False)

    def drain(self) -> None:
        """Forget what was written to the terminal, which would stop whoever writes once it is full."""
        with contextlib.suppress(OSError):
            while os.read(self._ours, 1 << 16):
                pass

    def close(self) -> None:
        """Let the terminal hang up."""
        os.close(self.theirs)
        os.close(self._ours)


def _size() -> os.terminal_size:
    """That of the terminal of this process, else the usual one."""
    for stream in _STREAMS:
        with contextlib.suppress(OSError):
            size = os.get_terminal_size(stream)
            if size.columns and size.lines:
                return size
    return os.terminal_size((_COLUMNS, _LINES))


def take(*, leads: bool) -> int:
    """Make the terminal the standard input of this process; returns a descriptor that hangs up with it.

    `leads` says that this process leads its session, and is to have the terminal as /dev/tty too. Standard
    output and error are files, but whoever asks them for a size is answered. `sys.stdin.isatty()` is False:
    scripts call it to find out whether there is a person to be asked.
    """
    lifeline = os.dup(0)
    if sys.platform == "win32":
        return lifeline
    if not os.isatty(0):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    elif leads:
        with contextlib.suppress(OSError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if sys.stdin is not None:
        setattr(sys.stdin, "isatty", lambda: False)  # noqa: B010 - mypy knows that it is a method
    _answer()
    return lifeline


def _answer() -> None:
    """Let standard output and error have the size of standard input."""
    if sys.platform == "win32":
        return
    size_of, control = os.get_terminal_size, fcntl.ioctl

    def get_terminal_size(stream: int = 1, /) -> os.terminal_size:
        return size_of(0 if stream in _STREAMS else stream)

    def ioctl(stream: Any, request: int, *rest: Any) -> Any:
        asked = request == termios.TIOCGWINSZ and not isinstance(stream, str)
        number = stream if isinstance(stream, int) or not asked else stream.fileno()
        return control(0 if asked and number in _STREAMS else stream, request, *rest)

    os.get_terminal_size = get_terminal_size
    fcntl.ioctl = ioctl
