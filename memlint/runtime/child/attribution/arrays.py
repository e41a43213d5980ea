"""Arrays of NumPy that pile up in containers of the script: memory that no allocator of torch knows.

Nothing says when an array is made. What variables, attributes and module-level containers hold of arrays is
added up at some steps instead: a container that holds more at each look, and nothing less at any, grows.
"""

from __future__ import annotations

import functools
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from memlint.runtime.child.attribution.filled import lines_that_add
from memlint.runtime.child.attribution.growing import LATE_SHARE, LEAST_TIMES
from memlint.runtime.child.attribution.objects import in_words, is_a, variables
from memlint.runtime.child.project import Project
from memlint.session import ARRAYS, Growth, Holder

EVERY, WARM, LOOKS = 2, 4, 16
"""Steps from one look to the next (twice as many once there were so many looks), and the first of them."""

LEAST_SECONDS, SHARE = 0.1, 0.02
"""What looks may take in any case, and of a longer run."""

RECENT = 0.75
"""The part of all steps that looks must have seen: what they have not may have emptied a container."""

ENTRIES, LEVELS = 50_000, 4
"""What a look goes through at most, and how deep."""


MANY = 256
"""Entries from which on the last one says what the others are."""

_BARE = frozenset({int, float, str, bytes, bool, type(None)})


class Held(NamedTuple):
    """What a container held at one look: bytes of arrays, and the container in words with its bound."""

    bytes: int
    what: str
    bound: str


Rising = tuple[int, int, int, int]
"""The first step, how many more there were, the bytes that they added, and the looks that found more."""


class Arrays:
    """Looks at what the script holds of arrays, as long as that costs little.

    `owns` knows files of the project. By series, each look is the number of the step and what was held: by
    the name of a container, and whose variable that begins with.
    """

    def __init__(self, owns: Callable[[str], bool]) -> None:
        self._owns = functools.cache(owns)
        self._looks: defaultdict[str, list[tuple[int, dict[tuple[str, str], Held]]]] = defaultdict(list)
        self._every: defaultdict[str, int] = defaultdict(lambda: EVERY)
        self._began = time.perf_counter()
        self._spent = 0.0
        self._entries = self._modules_seen = 0
        self._modules: list[ModuleType] = []

    def tick(self, series: str, count: int) -> None:
        """An iteration of a series has ended."""
        if count < WARM or count % self._every[series] or not hasattr(sys.modules.get("numpy"), "ndarray"):
            return
        began = time.perf_counter()
        looks = self._looks[series]
        looks.append((count, self._held()))
        self._spent += time.perf_counter() - began
        is_dear = self._spent > max(LEAST_SECONDS, SHARE * (began - self._began))
        if len(looks) > LOOKS or is_dear:
            self._every[series] *= 2
        if len(looks) > LOOKS:
            del looks[1::2]

    # --- one look --------------------------------------------------------------------------------------

    def _held(self) -> dict[tuple[str, str], Held]:
        self._entries = ENTRIES
        found: dict[tuple[str, str], Held] = {}
        seen: set[int] = set()
        for name, scope, value in self._names():
            self._add(value, name, scope, LEVELS, seen, found)
        # A part of it would look like less.
        return found if self._entries > 0 else {}

    def _names(self) -> Iterator[tuple[str, str, Any]]:
        """Variables of modules, then of functions that run, the outermost first: (name, scope, value)."""
        if len(sys.modules) != self._modules_seen:
            self._modules_seen = len(sys.modules)
            self._modules = [module for module in list(sys.modules.values()) if self._is_own(module)]
        for module in self._modules:
            prefix = "" if module.__name__ == "__main__" else f"{module.__name__}."
            for name, value in list(vars(module).items()):
                if not name.startswith("__"):
                    yield f"{prefix}{name}", "", value
        frames: list[FrameType] = []
        # Where lines are traced (before 3.12), Python keeps what it was asked for of a frame that still runs,
        # and with it tensors that the script has let go of.
        frame: FrameType | None = sys._getframe(1) if sys.gettrace() is None else None
        while frame is not None:
            if self._owns(frame.f_code.co_filename) and frame.f_code.co_name != "<module>":
                frames.append(frame)
            frame = frame.f_back
        for frame in reversed(frames):
            for name, value in variables(frame).items():
                yield name, f"local of {frame.f_code.co_name}()", value

    def _is_own(self, module: Any) -> bool:
        return type(module) is ModuleType and self._owns(getattr(module, "__file__", None) or "")

    def _add(
        self, value: Any, name: str, scope: str, levels: int, seen: set[int],
        found: dict[tuple[str, str], Held],
    ) -> int:  # fmt: skip
        """The bytes of arrays in an object; those of each container with a name of its own go to `found`."""
        self._entries -= 1
        if type(value) in _BARE or self._entries <= 0 or id(value) in seen:
            return 0
        if is_a(value, sys.modules["numpy"].ndarray):
            return _own_bytes(value, seen)
        if not levels:
            return 0
        parts = _parts(value)
        if parts is None:
            # A data set that keeps its samples has so many of them, and no more.
            kind = type(value)
            if hasattr(kind, "__getitem__") or not self._is_own(sys.modules.get(kind.__module__)):
                return 0
            seen.add(id(value))
            space = getattr(value, "__dict__", None)
            items = list(space.items()) if type(space) is dict else []
            return sum(self._add(v, f"{name}.{k}", scope, levels - 1, seen, found) for k, v in items)
        seen.add(id(value))
        total, array = 0, sys.modules["numpy"].ndarray
        for key, part in parts:
            if type(part) is array:  # there may be thousands
                self._entries -= 1
                total += _own_bytes(part, seen)
                continue
            # Entries have no name that lasts, unless it is a word.
            inner = f"{name}[{key!r}]" if name and isinstance(key, str) else ""
            total += self._add(part, inner, scope, levels - 1, seen, found)
        if total and name and not is_a(value, tuple):
            found[name, scope] = Held(total, *in_words(value))
        return total

    # --- the result ------------------------------------------------------------------------------------

    def rows(self, series: str, steps: int, project: Project) -> list[tuple[Growth, Holder]]:
        """What grew over so many steps of a series, with what holds it; nothing where looks ended early."""
        looks = self._looks[series]
        if not looks or looks[-1][0] < RECENT * steps:
            return []
        rising: dict[tuple[str, str], Rising] = {}
        for key in looks[-1][1]:
            known = [(count, held[key].bytes) for count, held in looks if key in held]
            if (rise := _rise(known)) is not None:
                rising[key] = rise
        rows = []
        for (name, scope), (first, count, total, times) in rising.items():
            if any(_leads_to((name, scope), other) for other in rising):
                continue
            held = looks[-1][1][name, scope]
            places = lines_that_add(name, held.what, project)
            file, line = places[0] if len(places) == 1 else ("", 0)
            each = total // count
            rows.append((
                Growth(file, line, series, each, each, times, count, total, first + 1, device=ARRAYS),
                Holder(file, line, ARRAYS, name, scope, held.what, held.bound, total, total, (name,)),
            ))  # fmt: skip
        return rows


def _parts(value: Any) -> list[tuple[Any, Any]] | None:
    """The entries of a container, none of one that is full of numbers or texts; None for another object."""
    if is_a(value, dict):
        found = list(dict.items(value))
    elif is_a(value, list, tuple, deque, set, frozenset):
        found = list(enumerate(tuple(value)))
    else:
        return None
    return [] if len(found) > MANY and type(found[-1][1]) in _BARE else found


def _own_bytes(array: Any, seen: set[int]) -> int:
    """The bytes of the array that owns the memory, once; tensors own memory that the tracker counts."""
    base = array.base
    while base is not None and is_a(base, sys.modules["numpy"].ndarray):
        array, base = base, base.base
    if base is not None or id(array) in seen:
        return 0
    seen.add(id(array))
    return int(array.nbytes)


def _rise(known: list[tuple[int, int]]) -> Rising | None:
    """How a container has grown; None where a look found less, or the later ones no more."""
    if len(known) <= LEAST_TIMES:
        return None
    sizes = [size for _, size in known]
    times = sum(after > before for before, after in pairwise(sizes))
    total, late = sizes[-1] - sizes[0], sizes[-1] - sizes[len(sizes) // 2]
    if times < LEAST_TIMES or any(after < before for before, after in pairwise(sizes)):
        return None
    if late < LATE_SHARE * total:
        return None
    return known[0][0], known[-1][0] - known[0][0], total, times


def _leads_to(outer: tuple[str, str], inner: tuple[str, str]) -> bool:
    """Whether a container with a longer name is a part of another one."""
    return inner[1] == outer[1] and inner[0].startswith((f"{outer[0]}.", f"{outer[0]}["))
