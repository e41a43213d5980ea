"""Objects that ranks of a simulation send to each other.

Each rank is simulated by a process of its own, one after the other. What a rank has sent lies in a folder,
and the ranks after it find it there. Of ranks that come later, or that are not simulated, nothing is known.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Any

_open, _exists, _replace = open, os.path.exists, os.replace


class Exchange:
    """The folder of one run ("" where there is only one rank), as one rank sees it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._told: Counter[str] = Counter()

    def put(self, channel: str, what: Any) -> None:
        """Leave the next object of a channel; what cannot be pickled is left out."""
        path = self._next(channel)
        if not self._folder:
            return
        try:
            data = pickle.dumps(what)
        except Exception:
            return
        with _open(f"{path}.part", "wb") as file:
            file.write(data)
        _replace(f"{path}.part", path)

    def get(self, channel: str, otherwise: Any = None) -> tuple[bool, Any]:
        """The next object of a channel and whether it is known."""
        path = self._next(channel)
        if not self._folder or not _exists(path):
            return False, otherwise
        with _open(path, "rb") as file:
            return True, pickle.load(file)

    def _next(self, channel: str) -> str:
        self._told[channel] += 1
        return os.path.join(self._folder, f"{channel}-{self._told[channel]}")


def between(one: int, other: int) -> str:
    """The channel from a rank to another one."""
    return f"from-{one}-to-{other}"


def among(ranks: Sequence[int], source: int) -> str:
    """The channel from a rank to all of its group."""
    return f"from-{source}-in-{ranks[0]}-{ranks[-1]}-{len(ranks)}"
