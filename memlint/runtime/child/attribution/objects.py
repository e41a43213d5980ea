"""Python's objects in a report: what leads from one to the next, and what each is, in words."""

from __future__ import annotations

import functools
import queue
import re
import sys
import types
import weakref
from collections import deque
from collections.abc import Iterator, Mapping
from inspect import CO_OPTIMIZED
from typing import Any

import torch

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

OWN_REFERENCES = 3
"""References to the variables of a frame that nobody else has: its own, and two of who asks."""

SEARCHED = 2000
"""Entries of a list that are searched for the position of one."""

LRU = type(functools.lru_cache(None)(lambda: None))
_ATTRIBUTE = re.compile(r"\.__dict__\['([^']*)'\]")
_CHILD = re.compile(r"\._(?:modules|buffers|parameters)\['([^']*)'\]")


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


def variables(frame: types.FrameType) -> dict[str, Any]:
    """The variables of a frame, in a dictionary of their own.

    Before 3.13 Python keeps the one that it makes, and the tensors in it, as long as the frame runs: it is
    emptied, unless the script has asked for it too (`locals()`).
    """
    found = frame.f_locals
    copied = dict(found)
    is_made = type(found) is dict and bool(frame.f_code.co_flags & CO_OPTIMIZED)
    if is_made and sys.getrefcount(found) <= OWN_REFERENCES:
        found.clear()
    return copied


def is_a(value: Any, *kinds: type) -> bool:
    """isinstance without asking the object, whose `__class__` may be code of its own."""
    return any(kind in type(value).__mro__ for kind in kinds)


def label_of(parent: Any, child: Any) -> str:
    """How one gets from an object to what it refers to, as in Python's source; "" where only C knows."""
    if is_a(parent, dict):
        key = next((key for key, item in list(parent.items()) if item is child), None)
        if isinstance(key, (str, int)):
            return f"[{key!r}]"
        return "[...]" if any(item is child for item in parent.values()) else ""
    if is_a(parent, list, tuple, deque):
        first = zip(range(SEARCHED), parent, strict=False)
        return next((f"[{n}]" for n, item in first if item is child), "[...]")
    if is_a(parent, types.GeneratorType, types.CoroutineType):
        frame = parent.gi_frame if is_a(parent, types.GeneratorType) else parent.cr_frame
        found = variables(frame) if frame is not None else {}
        return next((f".gi_frame.f_locals[{name!r}]" for name, v in found.items() if v is child), "")
    namespace = getattr(parent, "__dict__", None) if not is_a(parent, type) else None
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


def plain_path(name: str) -> str:
    """A path as one would write it: attributes of objects, and children of modules by their names."""
    name = _ATTRIBUTE.sub(r".\1", name)
    return _CHILD.sub(lambda match: f"[{match[1]}]" if match[1].isdigit() else f".{match[1]}", name)


def in_words(value: Any) -> tuple[str, str]:
    """An object in a few words, and what keeps it from growing for ever."""
    kind = type(value).__name__
    if is_a(value, torch.Tensor):
        graph = " with its autograd graph" if value.grad_fn is not None else ""
        return f"tensor of shape {list(value.shape)}{graph}", ""
    if is_a(value, LRU):
        info = value.cache_info()
        limit = f"lru_cache of maxsize {info.maxsize}"
        return f"{limit} with {_entries(info.currsize)}", limit if info.maxsize is not None else ""
    if is_a(value, deque):
        bound = f"{kind} of maxlen {value.maxlen}" if value.maxlen is not None else ""
        return f"{kind} with {_entries(len(value))}", bound
    if is_a(value, list):
        empty = sum(item is None for item in list.__iter__(value))
        bound = f"{kind} of {len(value):,} slots, {empty:,} of them empty" if empty else ""
        return f"{kind} with {_entries(list.__len__(value))}", bound
    if is_a(value, dict, tuple, set, frozenset):
        return f"{kind} with {_entries(len(value))}", ""
    if is_a(value, queue.SimpleQueue):
        return f"{kind} with {_entries(value.qsize())}", ""
    return f"{kind} object", ""


def filled_of(value: Any) -> tuple[int, int]:
    """How many entries an object has, and with how many it is full (0: it is never)."""
    if is_a(value, LRU):
        info = value.cache_info()
        return info.currsize, info.maxsize or 0
    if is_a(value, deque):
        return len(value), value.maxlen or 0
    if is_a(value, list):
        slots = list.__len__(value)
        empty = sum(item is None for item in list.__iter__(value))
        return slots - empty, slots if empty else 0
    if is_a(value, dict, set, frozenset, tuple):
        return len(value), 0
    return (value.qsize(), 0) if is_a(value, queue.SimpleQueue) else (0, 0)


def numbers_in(variables: Mapping[str, Any], below: bool = True) -> Iterator[tuple[str, int]]:
    """The whole numbers among variables, and with `below` among the attributes of what they are."""
    for name, value in list(variables.items()):
        if type(value) is int:
            yield name, value
        elif below and not is_a(value, type, torch.Tensor):
            space = getattr(value, "__dict__", None) if type(value).__module__ != "builtins" else None
            if type(space) is dict:
                yield from ((f"{name}.{key}", number) for key, number in numbers_in(space, below=False))


def _entries(count: int) -> str:
    return f"{count:,} entr{'y' if count == 1 else 'ies'}"


def bound_of_queue(owner: Any) -> str:
    """The bound of a queue, if it has one."""
    limited = is_a(owner, queue.Queue) and owner.maxsize > 0
    return f"queue of maxsize {owner.maxsize}" if limited else ""
