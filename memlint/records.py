"""`dataclass` for classes that most runs make no object of, and whose objects few runs compare or print.

The standard decorator compiles half a dozen methods for every class that is imported, which for those of
memlint took a quarter of the time of `memlint check train.py`. Here they are compiled when the first of them
is asked for: the constructor and the fields, what compares objects, what prints them. Before, a class has
its name, its annotations, its own methods and its slots. What is frozen is so for the type checker only,
which saves each constructor a call for every field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from inspect import get_annotations
from threading import RLock
from typing import TYPE_CHECKING, Any

_LOCK = RLock()
_MAKING = ("__init__", "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__replace__")
_PRINTING = ("__repr__",)
_COMPARING = ("__eq__",)
_HASHING = ("__hash__",)
_ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")


class _Later:
    """Stands in a class for a name that `make` gives it."""

    __slots__ = ("_cls", "_make", "_name")

    def __init__(self, cls: type, name: str, make: Callable[[], None]) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: type) -> Any:
        self._make()
        if self._name not in vars(self._cls):
            raise AttributeError(self._name)
        made = vars(self._cls)[self._name]
        return made.__get__(instance, owner) if hasattr(made, "__get__") else made


def _record(
    *, frozen: bool = False, eq: bool = True, slots: bool = False, order: bool = False, **options: bool
) -> Callable[[type], type]:
    """The decorator; it takes the options of the standard one."""

    def decorate(cls: type) -> type:
        namespace = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
        made = _with_slots(cls, namespace) if slots else _without_defaults(cls)
        defaults = () if slots else tuple(get_annotations(cls))
        _put_off(made, namespace, _MAKING, {**options, "repr": False, "eq": False, "slots": slots}, defaults)
        _put_off(made, namespace, _PRINTING, {**options, "init": False, "eq": False})
        if eq:
            names = (*_COMPARING, *(_HASHING if frozen else ()), *(_ORDERING if order else ()))
            how = {"init": False, "repr": False, "unsafe_hash": frozen, "order": order}
            _put_off(made, namespace, names, {**options, **how})
            if not frozen and "__hash__" not in namespace:
                made.__hash__ = None  # type: ignore[assignment]
        return made

    return decorate


def _put_off(
    cls: type,
    namespace: dict[str, Any],
    names: Iterable[str],
    options: dict[str, bool],
    defaults: Iterable[str] = (),
) -> None:
    """Have the standard decorator give a class some names, and its defaults, once it is asked for one."""
    waiting = {name for name in names if name not in namespace}

    def make() -> None:
        with _LOCK:
            if not waiting:
                return
            whole = type(cls)(cls.__name__, cls.__bases__, namespace)
            made = vars(dataclasses.dataclass(**options)(whole))
            for name in made.keys() & waiting.union(defaults):
                setattr(cls, name, made[name])
            for name in waiting - made.keys():  # `__replace__`, before Python 3.13
                delattr(cls, name)
            waiting.clear()

    for name in waiting:
        setattr(cls, name, _Later(cls, name, make))


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


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record
