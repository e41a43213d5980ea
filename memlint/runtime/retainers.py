"""What holds the tensors that grown lines have left behind: walks up from them through Python's objects.

For each line the nearest object that leads to nearly all of its tensors counts (the list, not the tensors in
it), under the name by which the script reaches it. Objects are only looked at, none is changed; what C++
alone holds stays without a name.
"""

from __future__ import annotations

import functools
import gc
import queue
import re
import sys
import threading
import time
import types
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from memlint.runtime.graphs import reached
from memlint.runtime.growing import Lasting
from memlint.runtime.holders import BARREN, of_function
from memlint.runtime.private import plainly, unwatched
from memlint.session import Holder

SAMPLE = 48
"""Storages that are looked for, shared out among the lines."""

MOST_LINES = 24
"""Lines whose storages are looked for, those with the most bytes first."""

MOST_TENSORS = 192
"""Tensors from which the search begins."""

AT_ONCE = 48
"""Objects whose referrers Python is asked for at once: each is compared with all that exist."""

DEPTH = 64
PATIENCE = 10.0
"""Levels of containers, and seconds, after which the search is given up: a list may be linked."""

MOST_HOLDERS = 3
NEARLY, SOME = 0.8, 0.2
"""Shares of a line's storages that one object leads to, and that each of several must lead to."""

SEARCHED = 2000
"""Entries of a list that are searched for the position of one."""

OF_MODULES = frozenset({".__dict__", "._modules", "['_modules']"})
"""How an object's own parts are labelled that no script would name."""

MODULE, CLOSURE, LOCAL, UNKNOWN = range(4)
"""Where a name begins; the first is preferred."""

_LRU = type(functools.lru_cache(None)(lambda: None))
_ATTRIBUTE = re.compile(r"\.__dict__\['([^']*)'\]")
_CHILD = re.compile(r"\._(?:modules|buffers|parameters)\['([^']*)'\]")


def holders_of(
    lasting: Sequence[Lasting],
    sizes: Callable[[int], int],
    alive: Iterable[tuple[int, int]],
    is_project: Callable[[str], bool],
) -> tuple[Holder, ...]:
    """What holds the storages of lines that grow.

    `sizes` gives the bytes of a storage, `alive` are (address, storage) of all that are followed.
    """
    still = dict(alive)
    followed = set(still.values())
    left = {n: [i for i in row.storages if i in followed] for n, row in enumerate(lasting)}
    found = []
    for number, (looked_for, holders) in _holders(left, still, is_project).items():
        row, total = lasting[number].growth, sum(map(sizes, looked_for))
        for name, scope, what, bound, held in holders:
            part = sum(map(sizes, held))
            found.append(Holder(row.file, row.line, row.device, name, scope, what, bound, part, total))
    return tuple(found)


Described = tuple[str, str, str, str, tuple[int, ...]]
"""Name, scope, what and bound of a `Holder`, and the storages that it holds."""


def _holders(
    left: Mapping[int, list[int]], alive: Mapping[int, int], is_project: Callable[[str], bool]
) -> dict[int, tuple[list[int], list[Described]]]:
    """By line: the storages that were looked for, and the objects that hold them."""
    chosen = _sample(left)
    if not chosen:
        return {}
    bits = {index: bit for bit, index in enumerate(i for indices in chosen.values() for i in indices)}
    gc.collect()
    by_type: dict[type, list[Any]] = {}
    for value in gc.get_objects():
        by_type.setdefault(type(value), []).append(value)
    tensors = [value for kind, values in by_type.items() if torch.Tensor in kind.__mro__ for value in values]
    with unwatched(), plainly():
        cover = reached(tensors, {address: bits[i] for address, i in alive.items() if i in bits})
    # Most of a long graph's tensors are held by the graph itself: those that hold most of it come first.
    cover = dict(sorted(cover.items(), key=lambda row: -row[1].bit_count())[:MOST_TENSORS])
    found = _Climb(is_project, {id(value): value for value in tensors if id(value) in cover}, cover)
    for value in by_type.get(types.FunctionType, ()):
        found.add_function(value)
    for kind, values in by_type.items():
        if threading.local in kind.__mro__:
            found.add_locals(values)
    # What is only here is no holder.
    by_type.clear()
    tensors.clear()
    masks = {site: sum(1 << bits[i] for i in indices) for site, indices in chosen.items()}
    found.climb(list(masks.values()))
    by_bit = {bit: index for index, bit in bits.items()}
    return {
        site: (chosen[site], [found.describe(key, part, by_bit) for key, part in found.holders(mask)])
        for site, mask in masks.items()
    }


def _sample(left: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """Some storages of each line, spread over all of them."""
    sites = [site for site in left if left[site]][:MOST_LINES]
    share = max(4, SAMPLE // max(len(sites), 1))
    return {site: left[site][:: -(-len(left[site]) // share)] for site in sites}


class _Climb:
    """Who refers to whom, from some tensors up to what has a name. Objects are known by their ids."""

    def __init__(
        self, is_project: Callable[[str], bool], tensors: dict[int, Any], cover: dict[int, int]
    ) -> None:
        self._is_project = is_project
        self._values = tensors
        self._cover = cover
        self._parents: dict[int, list[tuple[int, str]]] = {}
        self._roots: dict[int, tuple[int, str, str]] = {}
        """(kind, name, scope) of what begins a name."""
        self._spaces = {id(vars(m)): m for m in list(sys.modules.values()) if isinstance(m, types.ModuleType)}
        self._locals: dict[int, Any] = {}
        """Objects whose attributes Python keeps elsewhere, one set for each thread, by those attributes."""

    def add_function(self, function: types.FunctionType) -> None:
        """What a function of the project keeps begins a name of its own."""
        if not self._is_project(function.__code__.co_filename):
            return
        for name, value in of_function(function).items():
            label = f"{function.__name__}()"
            if name in function.__code__.co_freevars:
                self._roots[id(value)] = CLOSURE, name, f"in the closure of {label}"
            elif "." in name:
                self._roots[id(value)] = MODULE, name, ""
            else:
                self._roots[id(value)] = CLOSURE, name, f"default argument of {label}"

    def add_locals(self, values: Iterable[Any]) -> None:
        """The attributes of a threading.local belong to it, though nothing refers to them from there."""
        self._locals.update((id(vars(value)), value) for value in values)

    # --- upwards ------------------------------------------------------------------------------------

    def climb(self, masks: list[int]) -> None:
        """Look for what refers to the tensors, and to that, until each mask is held by something named."""
        level, end = dict(self._values), time.monotonic() + PATIENCE
        for _ in range(DEPTH):
            level = self._referring(level)
            if not level or all(map(self._is_settled, masks)) or time.monotonic() > end:
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
        for name, value in list(frame.f_locals.items()):
            if id(value) in level and id(value) != id(frame):
                scope = f"local of {frame.f_code.co_name}()"
                if running and self._roots.get(id(value), (LOCAL,))[0] == LOCAL:
                    # Outer frames come later: their names are the ones that last.
                    self._roots[id(value)] = LOCAL, name, scope
                elif not running:
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
        if _is_a(value, type):
            self._roots[id(value)] = MODULE, value.__qualname__.rpartition("<locals>.")[2], ""
            for child in hits:
                self._edge(value, child, ".__dict__")
            return False
        for child in hits:
            self._edge(value, child, _label(value, child))
        return True

    def _module(self, space: dict[str, Any], hits: list[Any]) -> None:
        module = self._spaces[id(space)]
        name = module.__name__
        wanted = {id(child) for child in hits}
        for key, item in list(space.items()):
            if id(item) in wanted:
                if name == "__main__":
                    self._roots[id(item)] = MODULE, key, ""
                else:
                    self._roots.setdefault(id(item), (MODULE, f"{name}.{key}", ""))

    def _old_frame(self, frame: types.FrameType, hits: Mapping[int, Any]) -> bool:
        """A frame that an exception or a generator keeps; those that run have names of their own."""
        if not self._is_project(frame.f_code.co_filename) or id(frame) in {id(f) for f in _running()}:
            return False
        self._frame(frame, hits, running=False)
        self._roots[id(frame)] = LOCAL, "", f"local of {frame.f_code.co_name}(), whose frame is kept"
        return True

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
        return _is_a(self._values[key], torch.nn.Module) or not labels.isdisjoint(OF_MODULES)

    def _inside(self, module: int, mask: int) -> list[int]:
        """The fullest containers of what a module holds (`net.layers[0].maps`), else the module."""
        left, found = self._cover[module] & mask, list[int]()
        inside = {
            key: bits
            for key, bits in self._cover.items()
            if 0 < (bits & left) < left and _is_a(self._values.get(key), list, dict, set, deque)
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
            if _is_a(self._values.get(parent), _LRU, queue.SimpleQueue):
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
                    best = kind, _plain(f"{name}{rest}"), scope
                if kind == MODULE:
                    break
            for parent, label in self._parents.get(here, ()):
                if parent not in seen:
                    seen.add(parent)
                    pending.append((parent, label + rest))
        return best

    def describe(self, key: int, part: int, by_bit: Mapping[int, int]) -> Described:
        """What a report says of a holder."""
        _, name, scope = self._path(key)
        value = self._values[key]
        what, bound = _what(value)
        for parent, label in self._parents.get(key, ()):
            if label == ".queue":
                bound = bound or _of_queue(self._values.get(parent))
            elif label == "['queue']":
                owners = (self._values.get(owner) for owner, _ in self._parents.get(parent, ()))
                bound = bound or next(filter(None, map(_of_queue, owners)), "")
        storages = tuple(index for bit, index in by_bit.items() if part >> bit & 1)
        return name, scope, what, bound, storages


def _of_queue(owner: Any) -> str:
    """The bound of a queue, if it has one."""
    limited = _is_a(owner, queue.Queue) and owner.maxsize > 0
    return f"queue of maxsize {owner.maxsize}" if limited else ""


def _running() -> list[types.FrameType]:
    """All frames that run, in all threads."""
    found = []
    for frame in sys._current_frames().values():
        here: types.FrameType | None = frame
        while here is not None:
            found.append(here)
            here = here.f_back
    return found


def _is_a(value: Any, *kinds: type) -> bool:
    """isinstance without asking the object, whose `__class__` may be code of its own."""
    return any(kind in type(value).__mro__ for kind in kinds)


def _label(parent: Any, child: Any) -> str:
    """How one gets from an object to what it refers to, as in Python's source; "" where only C knows."""
    if _is_a(parent, dict):
        key = next((key for key, item in list(parent.items()) if item is child), None)
        if isinstance(key, (str, int)):
            return f"[{key!r}]"
        return "[...]" if any(item is child for item in parent.values()) else ""
    if _is_a(parent, list, tuple, deque):
        first = zip(range(SEARCHED), parent, strict=False)
        return next((f"[{n}]" for n, item in first if item is child), "[...]")
    if _is_a(parent, types.GeneratorType, types.CoroutineType):
        frame = parent.gi_frame if _is_a(parent, types.GeneratorType) else parent.cr_frame
        variables = frame.f_locals if frame is not None else {}
        return next((f".gi_frame.f_locals[{name!r}]" for name, v in variables.items() if v is child), "")
    namespace = getattr(parent, "__dict__", None) if not _is_a(parent, type) else None
    if isinstance(namespace, dict):
        if namespace is child:
            return ".__dict__"
        for name, item in list(namespace.items()):
            if item is child:
                return f".{name}"
    for slot in _slots(type(parent)):
        try:
            if object.__getattribute__(parent, slot) is child:
                return f".{slot}"
        except AttributeError:
            continue
    return ""


def _slots(kind: type) -> list[str]:
    found: list[str] = []
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        found += [slots] if isinstance(slots, str) else [name for name in slots if isinstance(name, str)]
    return found


def _plain(name: str) -> str:
    """A path as one would write it: attributes of objects, and children of modules by their names."""
    name = _ATTRIBUTE.sub(r".\1", name)
    return _CHILD.sub(lambda match: f"[{match[1]}]" if match[1].isdigit() else f".{match[1]}", name)


def _what(value: Any) -> tuple[str, str]:
    """An object in a few words, and what keeps it from growing for ever."""
    kind = type(value).__name__
    if _is_a(value, torch.Tensor):
        graph = " with its autograd graph" if value.grad_fn is not None else ""
        return f"tensor of shape {list(value.shape)}{graph}", ""
    if _is_a(value, _LRU):
        info = value.cache_info()
        limit = f"lru_cache of maxsize {info.maxsize}"
        return f"{limit} with {_entries(info.currsize)}", limit if info.maxsize is not None else ""
    if _is_a(value, deque):
        bound = f"{kind} of maxlen {value.maxlen}" if value.maxlen is not None else ""
        return f"{kind} with {_entries(len(value))}", bound
    if _is_a(value, list):
        empty = sum(item is None for item in list.__iter__(value))
        bound = f"{kind} of {len(value):,} slots, {empty:,} of them empty" if empty else ""
        return f"{kind} with {_entries(list.__len__(value))}", bound
    if _is_a(value, dict, tuple, set, frozenset):
        return f"{kind} with {_entries(len(value))}", ""
    if _is_a(value, queue.SimpleQueue):
        return f"{kind} with {_entries(value.qsize())}", ""
    return f"{kind} object", ""


def _entries(count: int) -> str:
    return f"{count:,} entr{'y' if count == 1 else 'ies'}"
