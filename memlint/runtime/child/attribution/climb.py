"""The way from tensors up to what has a name: who refers to whom among the objects of the process."""

from __future__ import annotations

import gc
import queue
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

from memlint.runtime.child.attribution.objects import (
    BARREN,
    LRU,
    bound_of_queue,
    filled_of,
    in_words,
    is_a,
    label_of,
    numbers_in,
    of_function,
    plain_path,
    variables,
)
from memlint.runtime.child.project import PACKAGE
from memlint.session import Holder

AT_ONCE = 48
"""Objects whose referrers Python is asked for at once: each is compared with all that exist."""

DEPTH = 64
PATIENCE = 5.0
"""Levels of containers, and seconds, after which the search is given up: a list may be linked."""

FURTHER = 3
"""Levels that are looked at once every tensor is held by something named: another may hold them as well."""

MOST_HOLDERS = 3
NEARLY, SOME = 0.8, 0.2
"""Shares of a line's storages that one object leads to, and that each of several must lead to."""

MOST_NAMES = 16
"""Names that one object is given; a script seldom has more than three for the same list."""

OF_MODULES = frozenset({".__dict__", "._modules", "['_modules']"})
"""How an object's own parts are labelled that no script would name."""

MODULE, CLOSURE, LOCAL, UNKNOWN = range(4)
"""Where a name begins; the first is preferred."""

Place = tuple[str, int, str]
"""File, line and device: what made some tensors, as in a `Growth`, or nodes (see `session.NODES`)."""

Described = tuple[Holder, tuple[int, ...]]
"""A holder of a line's tensors, and the storages that it holds."""


class Climb:
    """Who refers to whom, from some tensors up to what has a name. Objects are known by their ids."""

    def __init__(
        self, is_project: Callable[[str], bool], tensors: dict[int, Any], cover: dict[int, int]
    ) -> None:
        self._is_project = is_project
        self._values = tensors
        self._cover = cover
        self._parents: dict[int, list[tuple[int, str]]] = {}
        self._roots: dict[int, tuple[int, str, str]] = {}
        """(kind, name, scope) of the best name that begins with an object."""
        self._called: dict[int, set[str]] = {}
        """All names that begin with an object."""
        self._spaces = {id(vars(m)): m for m in list(sys.modules.values()) if isinstance(m, types.ModuleType)}
        self._locals: dict[int, Any] = {}
        """Objects whose attributes Python keeps elsewhere, one set for each thread, by those attributes."""
        self._arrays: dict[int, list[tuple[Any, Any]]] = {}
        """By tensor: arrays that share its bytes, each with a container of it."""

    def add_function(self, function: types.FunctionType) -> None:
        """What a function of the project keeps begins a name of its own."""
        if not self._is_project(function.__code__.co_filename):
            return
        for name, value in of_function(function).items():
            label = f"{function.__name__}()"
            if name in function.__code__.co_freevars:
                self._root(value, CLOSURE, name, f"in the closure of {label}")
            elif "." in name:
                self._root(value, MODULE, name)
            else:
                self._root(value, CLOSURE, name, f"default argument of {label}")

    def _root(self, value: Any, kind: int, name: str, scope: str = "") -> None:
        """Note that a name begins with an object; the last of the best kind counts."""
        if self._roots.get(id(value), (UNKNOWN,))[0] >= kind:
            self._roots[id(value)] = kind, name, scope
        if name:
            self._called.setdefault(id(value), set()).add(name)

    def add_locals(self, values: Iterable[Any]) -> None:
        """The attributes of a threading.local belong to it, though nothing refers to them from there."""
        self._locals.update((id(vars(value)), value) for value in values)

    def add_arrays(self, by_type: Mapping[type, list[Any]]) -> None:
        """NumPy's views of tensors lead to these, though Python's collector knows no array."""
        numpy = sys.modules.get("numpy")
        if numpy is None:
            return
        kind = numpy.ndarray
        for container in (list, dict, tuple, deque):
            for holder in by_type.get(container, ()):
                for item in gc.get_referents(holder):
                    if type(item) is kind and (tensor := _tensor_of(item, kind)) in self._cover:
                        self._arrays.setdefault(tensor, []).append((item, holder))

    # --- upwards ------------------------------------------------------------------------------------

    def climb(self, masks: list[int]) -> None:
        """Look for what refers to the tensors, and to that, until each mask is held by something named."""
        level, end, more = dict(self._values), time.monotonic() + PATIENCE, FURTHER
        for _ in range(DEPTH):
            level = self._referring(level)
            more -= all(map(self._is_settled, masks))
            if not level or not more or time.monotonic() > end:
                return

    def _is_settled(self, mask: int) -> bool:
        found = self.holders(mask)
        rest = mask
        for key, part in found:
            rest &= ~part
            if self._path(key)[0] == UNKNOWN:
                return False
        return rest.bit_count() < (1 - NEARLY) * mask.bit_count()

    def _referring(self, level: dict[int, Any]) -> dict[int, Any]:
        """The objects not met before that refer to those of one level; their edges are noted."""
        found: dict[int, Any] = {}
        for frame in _running():
            if self._is_project(frame.f_code.co_filename):
                self._frame(frame, level)
        values = list(level.values())
        own = {id(values), id(level), id(found), id(self._values), id(self._locals)}
        for tensor in level.keys() & self._arrays.keys():
            for array, holder in self._arrays[tensor]:
                self._edge(array, self._values[tensor], ".base")
                self._edge(holder, array, label_of(holder, array))
                found[id(holder)] = holder
        for start in range(0, len(values), AT_ONCE):
            for value in gc.get_referrers(*values[start : start + AT_ONCE]):
                if id(value) not in own:
                    self._meet(value, level, found)
        for key in level:
            if key in self._locals:
                self._meet(self._locals[key], level, found)
        self._values.update(found)
        return found

    def _meet(self, value: Any, level: Mapping[int, Any], found: dict[int, Any]) -> None:
        new = id(value) not in self._values
        hits = [child for child in gc.get_referents(value) if id(child) in level]
        hits += [child for child in level.values() if self._locals.get(id(child)) is value]
        if self._refers(value, hits) and new:
            found[id(value)] = value

    def _edge(self, parent: Any, child: Any, label: str) -> None:
        row = (id(parent), label)
        known = self._parents.setdefault(id(child), [])
        if row not in known:
            known.append(row)
        self._values.setdefault(id(parent), parent)
        self._add(id(parent), self._cover.get(id(child), 0))

    def _add(self, key: int, bits: int) -> None:
        pending = [(key, bits)]
        while pending:
            here, new = pending.pop()
            known = self._cover.get(here, 0)
            if known | new != known:
                self._cover[here] = known | new
                pending += [(parent, known | new) for parent, _ in self._parents.get(here, ())]

    def _frame(self, frame: types.FrameType, level: Mapping[int, Any], *, running: bool = True) -> None:
        if frame.f_code.co_name == "<module>":
            return
        for name, value in variables(frame).items():
            if id(value) in level and id(value) != id(frame):
                scope = f"local of {frame.f_code.co_name}()"
                if running:
                    # Outer frames come later: their names are the ones that last.
                    self._root(value, LOCAL, name, scope)
                else:
                    self._edge(frame, value, name)

    def _refers(self, value: Any, hits: list[Any]) -> bool:
        """Note that an object refers to others; whether what refers to it matters as well."""
        kind = type(value)
        if kind in BARREN or kind is types.ModuleType:
            return False
        if kind is dict and id(value) in self._spaces:
            self._module(value, hits)
            return False
        if kind is types.FrameType:
            return self._old_frame(value, {id(child): child for child in hits})
        if kind is types.FunctionType and self._is_project(value.__code__.co_filename):
            return False
        if is_a(value, type):
            self._root(value, MODULE, value.__qualname__.rpartition("<locals>.")[2])
            for child in hits:
                self._edge(value, child, ".__dict__")
            return False
        for child in hits:
            self._edge(value, child, label_of(value, child))
        return True

    def _module(self, space: dict[str, Any], hits: list[Any]) -> None:
        module = self._spaces[id(space)]
        name = module.__name__
        wanted = {id(child) for child in hits}
        for key, item in list(space.items()):
            if id(item) in wanted:
                if name == "__main__":
                    self._root(item, MODULE, key)
                elif self._roots.get(id(item), (UNKNOWN,))[0] != MODULE:
                    self._root(item, MODULE, f"{name}.{key}")

    def _old_frame(self, frame: types.FrameType, hits: Mapping[int, Any]) -> bool:
        """A frame that an exception or a generator keeps; those that run have names of their own."""
        if not self._is_project(frame.f_code.co_filename) or id(frame) in {id(f) for f in _running()}:
            return False
        self._frame(frame, hits, running=False)
        self._root(frame, LOCAL, "", f"local of {frame.f_code.co_name}(), whose frame is kept")
        return True

    def let_go(self) -> None:
        """Refer to none of the script's objects any more."""
        for table in (self._values, self._locals, self._arrays, self._parents, self._cover):
            table.clear()

    # --- who counts ---------------------------------------------------------------------------------

    def holders(self, mask: int) -> list[tuple[int, int]]:
        """The nearest objects that lead to nearly all of `mask`, each with its part; else the fullest."""
        rest, found = mask, list[tuple[int, int]]()
        while len(found) < MOST_HOLDERS and rest.bit_count() > (1 - NEARLY) * mask.bit_count():
            best = max(((bits & rest).bit_count() for bits in self._cover.values()), default=0)
            if best < SOME * mask.bit_count():
                break
            enough = min(NEARLY * rest.bit_count(), best)
            keys = {key for key, bits in self._cover.items() if (bits & rest).bit_count() >= enough}
            above = {parent for key in keys for parent, _ in self._parents.get(key, ()) if parent != key}
            nearest = list(keys - above) or list(keys)
            # What only C++ or another holder leads to says nothing.
            named = [key for key in nearest if self._path(key)[0] != UNKNOWN]
            nearest = sorted(named or nearest, key=self._rank)[: MOST_HOLDERS - len(found)]
            if len(nearest) == 1 and self._is_of_module(nearest[0]):
                nearest = self._inside(nearest[0], rest)[: MOST_HOLDERS - len(found)]
            found += [(self._whole(key), self._cover[key] & mask) for key in nearest]
            for key in nearest:
                rest &= ~self._cover[key]
        return list(dict.fromkeys(found))

    def _is_of_module(self, key: int) -> bool:
        labels = {label for _, label in self._parents.get(key, ())}
        return is_a(self._values[key], torch.nn.Module) or not labels.isdisjoint(OF_MODULES)

    def _inside(self, module: int, mask: int) -> list[int]:
        """The fullest containers of what a module holds (`net.layers[0].maps`), else the module."""
        left, found = self._cover[module] & mask, list[int]()
        inside = {
            key: bits
            for key, bits in self._cover.items()
            if 0 < (bits & left) < left and is_a(self._values.get(key), list, dict, set, deque)
        }
        inside = {key: bits for key, bits in inside.items() if not self._is_of_module(key)}
        inside = {key: bits for key, bits in inside.items() if self._path(key)[0] != UNKNOWN}
        while inside and len(found) < MOST_HOLDERS:
            best = max(inside, key=lambda key: (inside[key] & left).bit_count())
            if not inside[best] & left:
                break
            found.append(best)
            left &= ~inside[best]
        return found or [module]

    def _rank(self, key: int) -> tuple[int, int, str]:
        kind, name, _ = self._path(key)
        return kind, len(name), name

    def _whole(self, key: int) -> int:
        """The object itself, or the module, cache or queue of whose inside it is a part."""
        for parent, label in self._parents.get(key, ()):
            if label in ("._modules", "['_modules']"):
                owners = [owner for owner, of in self._parents.get(parent, ()) if of == ".__dict__"]
                return owners[0] if owners and label.startswith("[") else parent
        for parent, _ in self._parents.get(key, ()):
            if is_a(self._values.get(parent), LRU, queue.SimpleQueue):
                return parent
        return key

    def _path(self, key: int) -> tuple[int, str, str]:
        """(kind, name, scope) of the best way to an object from something that has a name."""
        best = (UNKNOWN, "", "")
        pending: deque[tuple[int, str]] = deque([(key, "")])
        seen = {key}
        while pending:
            here, rest = pending.popleft()
            if here in self._roots:
                kind, name, scope = self._roots[here]
                better = (kind, name == "self") < (best[0], best[1].partition(".")[0] == "self")
                if better:
                    best = kind, plain_path(f"{name}{rest}"), scope
                if kind == MODULE:
                    break
            for parent, label in self._parents.get(here, ()):
                if parent not in seen:
                    seen.add(parent)
                    pending.append((parent, label + rest))
        return best

    def _names(self, key: int) -> tuple[str, ...]:
        """All names by which an object is reached, the shortest first."""
        found: set[str] = set()
        pending: deque[tuple[int, str]] = deque([(key, "")])
        seen = {key}
        while pending and len(found) < MOST_NAMES:
            here, rest = pending.popleft()
            found |= {plain_path(f"{name}{rest}") for name in self._called.get(here, ())}
            for parent, label in self._parents.get(here, ()):
                if parent not in seen:
                    seen.add(parent)
                    pending.append((parent, label + rest))
        return tuple(sorted(found, key=lambda name: (len(name), name)))

    def describe(self, key: int, part: int, by_bit: Mapping[int, int], place: Place) -> Described:
        """What a report says of a holder of tensors that were made at a place."""
        _, name, scope = self._path(key)
        value = self._values[key]
        what, bound = in_words(value)
        entries, most = filled_of(value)
        for parent, label in self._parents.get(key, ()):
            if label in (".queue", "['queue']"):
                of = [parent] if label == ".queue" else [each for each, _ in self._parents.get(parent, ())]
                for owner in filter(None, map(self._values.get, of)):
                    if not bound and (bound := bound_of_queue(owner)):
                        most = owner.maxsize
        storages = tuple(index for bit, index in by_bit.items() if part >> bit & 1)
        names = self._names(key)
        return Holder(*place, name, scope, what, bound, 0, 0, names, entries, most), storages

    def numbers(self, key: int) -> dict[str, int]:
        """The whole numbers around an object, as the script's code calls them: how large it is to be."""
        found: dict[str, int] = {}
        for module in self._spaces.values():
            if self._is_project(getattr(module, "__file__", None) or ""):
                found.update(numbers_in(vars(module)))
        for frame in reversed(_running()):
            if self._is_project(frame.f_code.co_filename):
                found.update(numbers_in(variables(frame)))
        for parent, label in self._parents.get(key, ()):
            owners = [parent] if label.startswith(".") else []
            owners += [owner for owner, of in self._parents.get(parent, ()) if of == ".__dict__"]
            for owner in map(self._values.get, owners):
                space = getattr(owner, "__dict__", None)
                if type(space) is dict:
                    found.update((f"self.{name}", number) for name, number in numbers_in(space))
        return found


def _running() -> list[types.FrameType]:
    """All frames that run, in all threads, those of memlint left out.

    A frame that refers to itself, or to one of its callers in here, would keep what these hold alive.
    """
    found = []
    here: types.FrameType | None
    for here in list(sys._current_frames().values()):
        while here is not None:
            if not here.f_code.co_filename.startswith(PACKAGE):
                found.append(here)
            here = here.f_back
    return found


def _tensor_of(array: Any, kind: type) -> int:
    """The id of the tensor whose bytes an array shares, or of what else it is a view of."""
    while type(array.base) is kind:
        array = array.base
    return id(array.base)
