"""Whether a container was let go by the end of an iteration: its name stands for a new one, `box = []`."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.facts import Store
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import State
from memlint.analysis.values import NONE, Frame, Items, Ref, Value, options_of

_DEPTH = 3


def is_let_go(machine: Machine, store: Store, edge: State) -> bool:
    """Whether the object that a store has filled is held no more where the iteration ends: what led to it
    stands for something else, and nothing that is in view holds it."""
    filled = store.key[0]
    if store.within or filled not in machine.trace.objects:
        return False
    now = _leading(store, edge)
    if now is None or not all(isinstance(o, Ref) or o == NONE for o in options_of(now)):
        return False
    return not _reaches(edge, now, filled) and not _is_held(machine, edge, filled)


def _leading(store: Store, edge: State) -> Value | None:
    """What the path of the target stands for now, up to the first index: `self.box` of `self.box[k]`."""
    first, *attributes = store.target.partition("[")[0].split(".")
    frame: Frame | None = store.frame
    while frame is not None and (frame.id, first) not in edge.vars:
        frame = frame.lexical
    value = edge.vars[frame.id, first][0] if frame is not None else None
    for attribute in attributes:
        owners = [o for o in options_of(value) if isinstance(o, Ref)] if value is not None else []
        if len(owners) != 1:
            return None
        slot = edge.vars.get((owners[0].obj.id, f".{attribute}"))
        value = slot[0] if slot is not None else None
    return value


def _reaches(edge: State, value: Value, wanted: int) -> bool:
    """Whether an object is a value, or in it."""
    held = set(_objects(value))
    for _ in range(_DEPTH):
        if wanted in held:
            return True
        inner = (slot[0] for key, slot in edge.vars.items() if key[0] in held)
        held = {number for part in inner for number in _objects(part)}
    return wanted in held


def _is_held(machine: Machine, edge: State, wanted: int) -> bool:
    """Whether a variable, or an object that is held itself, holds an object."""
    held = {wanted}
    for _ in range(_DEPTH + 1):
        items = edge.vars.items()
        held = {key[0] for key, slot in items if any(n in held for n in _objects(slot[0]) if n != key[0])}
        if not held or not held <= machine.trace.objects.keys():
            break
    return bool(held)


def _objects(value: Value) -> Iterator[int]:
    for option in options_of(value):
        if isinstance(option, Ref):
            yield option.obj.id
        elif isinstance(option, Items):
            for item in option.items:
                yield from _objects(item)
