"""For which invented values a script may have failed."""

from __future__ import annotations

import os
import traceback

import torch

NAMED = 3
"""Invented values that are named where one of them may have made the script fail."""

_OF_NUMBERS = (ArithmeticError, AssertionError, LookupError, SystemExit, ValueError)
_OWN = (
    AttributeError, ImportError, KeyboardInterrupt, MemoryError, NameError, OSError, SyntaxError, TypeError
)  # fmt: skip
_TORCH = os.path.join(os.path.dirname(torch.__file__), "")


def in_short(error: BaseException) -> str:
    """The kind of an exception, and the first line of what it says."""
    first = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__}: {first[:150]}"


def may_rest_on_values(error: BaseException) -> bool:
    """Whether a number may be the cause of a failure: raised by the script itself, or about a number."""
    if isinstance(error, _OF_NUMBERS):
        return True
    if isinstance(error, (*_OWN, torch.cuda.OutOfMemoryError)):
        return False
    *_, (last, _) = traceback.walk_tb(error.__traceback__)
    return not last.f_code.co_filename.startswith(_TORCH)
