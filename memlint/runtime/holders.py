"""Which names of the script keep tensors alive: read off the objects of the process, from tensors upwards.

Python's garbage collector knows every container; autograd's graph, which it does not know, is walked from
the tensors that hold it. What only C++ holds stays without a name.
"""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

import torch

from memlint.runtime.private import inner_tensors, plainly, saved_in, storage_key, unwatched

DEPTH = 12
"""Containers within containers through which a tensor's holder is looked for."""

MOST_PATHS = 16
"""Names that one object is given; a script seldom has more than three for the same list."""

MOST_NODES = 100_000
"""Nodes of graphs that one look visits."""

UNNAMED = (list, tuple, set, frozenset, dict, types.CellType, types.MethodType, types.FunctionType)
"""What refers to objects without names for them; of functions, those of libraries."""

BARREN = (
    types.BuiltinFunctionType,
    types.CodeType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    property,
    classmethod,
    staticmethod,
    weakref.ref,
    torch.UntypedStorage,
)
"""What imports make in numbers, and what holds no tensor.

Storages are left out for another reason too: a look at frames leaves a cycle of garbage, and in what garbage
refers to, older torches see the dead (see `deaths`).
"""

Paths = tuple[str, ...]
"""All names by which one object is reached."""


def forget_the_past() -> None:
    """Leave what exists now out of every later look: it is torch and Python, not the script."""
    gc.collect()
    gc.freeze()


def holders(storages: Mapping[int, int], is_project: Callable[[str], bool]) -> dict[int, frozenset[Paths]]:
    """By what each storage is held: address to index in, index to the objects that have a name out.

    Of the objects that lead to a tensor, the nearest one with a name counts. A name ("meter.losses")
    begins with a variable of a module, of a function that runs or of a closure, or with an attribute where
    nothing says what holds the object. A storage that no name reaches has no entry.
    """
    objects = [value for value in gc.get_objects() if _may_hold(value)]
    with unwatched(), plainly():
        held = held_by_tensors(objects, storages)
    links = _Links(is_project)
    links.climb(objects, set(held))
    found: dict[int, set[Paths]] = {}
    for tensor, indices in held.items():
        for index in indices:
            found.setdefault(index, set()).update(links.named(tensor))
    return {index: frozenset(named) for index, named in found.items() if named}


def _may_hold(value: Any) -> bool:
    kind = type(value)
    return kind not in BARREN and (kind is not types.FunctionType or bool(of_function(value)))


def held_by_tensors(objects: list[Any], storages: Mapping[int, int]) -> dict[int, set[int]]:
    """The storages that each live tensor is, or that its graph keeps for a backward."""
    found: dict[int, set[int]] = {}
    budget = iter(range(MOST_NODES))
    for value in objects:
        if torch.Tensor in type(value).__mro__:
            graph = _saved(value.grad_fn, budget) if value.grad_fn is not None else ()
            tensors = chain.from_iterable(map(with_gradient, chain([value], graph)))
            indices = {storages[key] for t in tensors for key in addresses(t) if key in storages}
            if indices:
                found[id(value)] = indices
    return found


def with_gradient(tensor: torch.Tensor) -> list[torch.Tensor]:
    """A tensor, and the gradient that a leaf holds without Python's knowledge."""
    return [tensor, tensor.grad] if tensor.is_leaf and tensor.grad is not None else [tensor]


def addresses(tensor: torch.Tensor) -> Iterator[int]:
    for part in inner_tensors(tensor) or [tensor]:
        try:
            yield storage_key(part.untyped_storage())
        except (RuntimeError, NotImplementedError):  # a layout that has none: nothing follows it either
            continue


def _saved(root: Any, budget: Iterator[int]) -> Iterator[torch.Tensor]:
    """The tensors that a graph holds: those saved for backward, and the leaves that it leads to."""
    pending, seen = [root], {root}
    while pending and next(budget, None) is not None:
        node = pending.pop()
        yield from saved_by(node)
        new = {following for following, _ in node.next_functions if following is not None} - seen
        seen |= new
        pending += new


def saved_by(node: Any) -> Iterator[torch.Tensor]:
    """The tensors that one node holds: saved for backward, kept as attributes of a `ctx`, or the leaf."""
    leaf = getattr(node, "variable", None)
    if isinstance(leaf, torch.Tensor):
        yield leaf
    yield from saved_in(node)
    kept = getattr(node, "__dict__", {})
    yield from (value for value in list(kept.values()) if isinstance(value, torch.Tensor))


def _referents(value: Any) -> list[Any]:
    """What an object refers to; of a function, only what it has under a name."""
    return (
        list(of_function(value).values()) if type(value) is types.FunctionType else gc.get_referents(value)
    )


def of_function(function: types.FunctionType) -> dict[str, Any]:
    """What a function keeps, by name: the cells of its closure, default arguments, attributes."""
    only_by_name = function.__kwdefaults__ or {}
    if not (function.__closure__ or function.__defaults__ or function.__dict__ or only_by_name):
        return {}
    code, defaults = function.__code__, function.__defaults__ or ()
    parameters = code.co_varnames[: code.co_argcount][-len(defaults) :]
    return {
        **dict(zip(code.co_freevars, function.__closure__ or (), strict=True)),
        **(dict(zip(parameters, defaults, strict=True)) if defaults else {}),
        **only_by_name,
        **{f"{function.__name__}.{name}": value for name, value in function.__dict__.items()},
    }


class _Links:
    """Who refers to whom, as far up from some objects as names are found."""

    def __init__(self, is_project: Callable[[str], bool]) -> None:
        self._is_project = is_project
        self._roots: dict[int, set[str]] = {}
        self._parents: dict[int, list[tuple[int, str]]] = {}
        self._paths: dict[int, set[str]] = {}
        self._spaces = {id(vars(m)): m for m in list(sys.modules.values()) if isinstance(m, types.ModuleType)}
        self._keys: dict[int, list[tuple[int, str]]] = {}

    def climb(self, objects: list[Any], targets: set[int]) -> None:
        """Look for whatever refers to the targets, and to that, until nothing new is found."""
        known = set(targets)
        self._running()
        for _ in range(DEPTH):
            found = []
            for value in objects:
                hits = targets.intersection(map(id, _referents(value)))
                if hits and self._refers(value, hits) and id(value) not in known:
                    found.append(id(value))
            targets = set(found)
            known |= targets
            if not targets:
                return

    def _running(self) -> None:
        for frame in sys._current_frames().values():
            here: types.FrameType | None = frame
            while here is not None:
                if self._is_project(here.f_code.co_filename):
                    self._name(here.f_locals, None)
                here = here.f_back

    def _name(self, variables: Mapping[str, Any], hits: set[int] | None, prefix: str = "") -> None:
        for name, value in list(variables.items()):
            if hits is None or id(value) in hits:
                self._roots.setdefault(id(value), set()).add(f"{prefix}{name}")

    def _refers(self, value: Any, hits: set[int]) -> bool:
        """Note that `value` refers to `hits`; whether what refers to it matters as well."""
        kind = type(value)
        if kind is dict:
            return self._dictionary(value, hits)
        if kind is types.FunctionType and self._is_project(value.__code__.co_filename):
            self._name(of_function(value), hits)
        elif kind is types.FunctionType:
            self._instance(value, hits)
            return True
        elif kind in (types.GeneratorType, types.CoroutineType):
            frame = value.gi_frame if kind is types.GeneratorType else value.cr_frame
            self._name(frame.f_locals if frame is not None else {}, hits)
        elif isinstance(value, type):
            for child in hits.intersection(map(id, gc.get_referents(vars(value)))):
                for item, key in self._of_namespace(child):
                    self._roots.setdefault(item, set()).add(f"{value.__name__}.{key}")
        elif kind is types.FrameType:
            return False
        else:
            self._instance(value, hits)
            return True
        return False

    def _dictionary(self, value: dict[Any, Any], hits: set[int]) -> bool:
        module = self._spaces.get(id(value))
        if module is not None:
            mine = self._is_project(getattr(module, "__file__", None) or "")
            self._name(value, hits, "" if mine else f"{module.__name__}.")
            return False
        for key, item in list(value.items()):
            if id(item) in hits:
                self._parents.setdefault(id(item), []).append((id(value), ""))
                if isinstance(key, str):
                    self._keys.setdefault(id(value), []).append((id(item), key))
        return True

    def _instance(self, value: Any, hits: set[int]) -> None:
        attributes = {} if isinstance(value, UNNAMED) else getattr(value, "__dict__", {})
        for child in hits:
            if attributes and child == id(attributes):
                for item, key in self._of_namespace(child):
                    self._parents[item].append((id(value), key))
                continue
            labels = [name for name, item in attributes.items() if id(item) == child] or [""]
            self._parents.setdefault(child, []).extend((id(value), label) for label in labels)

    def _of_namespace(self, dictionary: int) -> list[tuple[int, str]]:
        """What a dictionary of attributes holds, with the names: it counts no more itself."""
        found = self._keys.get(dictionary, [])
        for item, _ in found:
            self._parents[item] = [row for row in self._parents[item] if row != (dictionary, "")]
        return found

    def named(self, start: int) -> set[Paths]:
        """The nearest objects with a name that lead to `start`, itself among them, as their names."""
        found: set[Paths] = set()
        pending, seen = [start], {start}
        while pending:
            here = pending.pop()
            above = self._parents.get(here, ())
            if here in self._roots or any(label for _, label in above):
                found.add(tuple(sorted(self._names(here), key=lambda path: (len(path), path))[:MOST_PATHS]))
                continue
            new = {parent for parent, _ in above} - seen
            seen |= new
            pending += new
        return found

    def _names(self, thing: int) -> set[str]:
        if thing not in self._paths:
            self._paths[thing] = found = set(self._roots.get(thing, ()))
            for parent, label in self._parents.get(thing, ()):
                above = self._names(parent) or {""}
                found |= {path for name in above if (path := ".".join(filter(None, (name, label))))}
        return self._paths[thing]
