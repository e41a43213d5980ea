"""Mixed precision that a script has and does not use: an autocast around its training that changes no type.

It is not enabled, or one of float32, as where `--dtype` chooses.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from memlint.session import Lines, Offer

NAME = "enable-autocast"

_LIBRARIES = re.compile(r"[\\/](site|dist)-packages[\\/]")
_FIXED = re.compile(r"enabled=False|float32")


class Switches:
    """Looks at every autocast of a run: which change types, and which do not though a model trains in them.

    `here` is the innermost line of the project that is running.
    """

    def __init__(self, here: Callable[[], Lines | None]) -> None:
        self.on = False
        self._here = here
        self._open: list[tuple[Any, Lines | None]] = []
        self._off: tuple[Any, Lines] | None = None

    def install(self) -> None:
        """Look from now on."""
        kind: Any = torch.autocast
        enter, leave = kind.__enter__, kind.__exit__

        @wraps(enter)
        def entered(context: Any) -> Any:
            if context._enabled and (context.device != "cuda" or context.fast_dtype is not torch.float32):
                self.on = True
            elif context.device == "cuda":
                self._open.append((context, self._here()))
            return enter(context)

        @wraps(leave)
        def left(context: Any, *args: Any) -> Any:
            self._open = [row for row in self._open if row[0] is not context]
            return leave(context, *args)

        kind.__enter__, kind.__exit__ = entered, left

    def begins(self) -> None:
        """A forward pass that trains begins: outside of all modules, so a model forces nothing."""
        for context, line in self._open:
            if self._off is None and line is not None:
                self._off = context.fast_dtype, line

    def offer(self) -> Offer | None:
        """That the autocast is enabled, and the GradScaler that float16 takes."""
        if self._off is None or ":" in (file := os.path.basename(self._off[1].file)):
            return None
        dtype, line = self._off
        # One of float32 says nothing of what it would be otherwise: the card does.
        word = str(dtype).rpartition(".")[2] if dtype is not torch.float32 else ""
        return Offer(f"{NAME}:{line.first}:{file}:{word}", f"{line.file}:{line.first}", word)


def enable(line: int, file: str, dtype: str) -> None:
    """Enable the autocast that is entered in this line of a file, and for float16 the scalers.

    So are others of the script that change no type, such as around its evaluation: what chooses one chooses
    them all. Left alone are those within another one, and those that say in so many words what they are.
    """
    kind: Any = torch.autocast
    enter, leave = kind.__enter__, kind.__exit__
    within: list[Any] = []

    @wraps(enter)
    def entered(context: Any) -> Any:
        frame = sys._getframe(1)
        path, number = frame.f_code.co_filename, frame.f_lineno
        is_it = number == line and os.path.basename(path) == file
        if is_it or (not within and _is_off(context) and _is_chosen(path, number)):
            context._enabled, context.fast_dtype = True, getattr(torch, dtype)
        within.append(context)
        return enter(context)

    @wraps(leave)
    def left(context: Any, *args: Any) -> Any:
        if context in within:
            within.remove(context)
        return leave(context, *args)

    kind.__enter__, kind.__exit__ = entered, left
    if dtype != "float16":
        return
    scaler: Any = torch.amp.GradScaler
    make = scaler.__init__

    @wraps(make)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        if not self._enabled:
            make(self, *args[:5], **{**kwargs, "enabled": True})

    scaler.__init__ = made


def _is_off(context: Any) -> bool:
    return context.device == "cuda" and (not context._enabled or context.fast_dtype is torch.float32)


def _is_chosen(path: str, number: int) -> bool:
    """Whether an autocast in a line of the script, not of a library, is as something else there says."""
    text = linecache.getline(path, number).replace(" ", "")
    return bool(text) and not _LIBRARIES.search(path) and not _FIXED.search(text)
