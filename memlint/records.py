"""`dataclass` for classes that most runs never make an object of.

The standard decorator compiles half a dozen methods for every class that is imported, which for those of the
analyser took a fifth of the time of `memlint check train.py`. Here that is put off until the first object is
made: before, a class has its name, its annotations, its own methods and its slots. What is frozen is so for
the type checker only, which saves each constructor a call for every field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from inspect import get_annotations
from threading import RLock
from typing import TYPE_CHECKING, Any

_LOCK = RLock()
_PUT_OFF: dict[type, Callable[[], type]] = {}
"""What makes the complete counterpart of a class of which no object was made so far."""


def _record(
    *, frozen: bool = False, eq: bool = True, slots: bool = False, **options: bool
) -> Callable[[type], type]:
    """The decorator; it takes the options of the standard one."""

    def decorate(cls: type) -> type:
        namespace = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
        made = _with_slots(cls, namespace) if slots else _without_defaults(cls)

        def complete() -> type:
            whole = type(cls)(cls.__name__, cls.__bases__, namespace)
            return dataclasses.dataclass(eq=eq, unsafe_hash=frozen and eq, slots=slots, **options)(whole)

        def complete_first(self: Any, *args: Any, **kwargs: Any) -> None:
            _complete(made)
            made.__init__(self, *args, **kwargs)  # type: ignore[misc]

        _PUT_OFF[made] = complete
        made.__init__ = complete_first  # type: ignore[misc]
        return made

    return decorate


def _with_slots(cls: type, namespace: dict[str, Any]) -> type:
    """The class, with slots for its fields."""
    own = get_annotations(cls)
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    slots = tuple(name for name in own if name not in inherited)
    kept = {key: value for key, value in namespace.items() if key not in own}
    return type(cls)(cls.__name__, cls.__bases__, {**kept, "__slots__": slots})


def _without_defaults(cls: type) -> type:
    """The class itself, without what `field` has left in it; the defaults come when it is completed."""
    for name in get_annotations(cls).keys() & vars(cls).keys():
        delattr(cls, name)
    return cls


def _complete(cls: type) -> None:
    """Give a class, and first those that it is derived from, what the standard decorator adds."""
    with _LOCK:
        for base in (*cls.__mro__[:0:-1], cls):
            if base in _PUT_OFF:
                whole = vars(_PUT_OFF.pop(base)())
                defaults = () if "__slots__" in whole else get_annotations(base).keys()
                for name in whole.keys() & _ADDED.union(defaults):
                    setattr(base, name, whole[name])


_ADDED = frozenset(
    "__init__ __repr__ __eq__ __hash__ __lt__ __le__ __gt__ __ge__ __match_args__ __dataclass_fields__ "
    "__dataclass_params__ __replace__".split()
)

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record
