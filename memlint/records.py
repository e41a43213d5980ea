"""`dataclass` for classes that most runs make no object of, and whose objects few runs compare or print.

The standard decorator compiles half a dozen methods for every class that is imported, which for those of
memlint took a quarter of the time of `memlint check train.py`. Here they are compiled when the first of them
is asked for: the constructor, the fields, what compares objects, what prints them. Before, a class has its
name, its annotations, its own methods and its slots. What is frozen is so for the type checker only, which
saves each constructor a call for every field.

The constructor is all that most classes are asked for, so it is not left to the standard decorator, which
takes five times as long for it. It knows all that memlint's classes use: bases that are records, defaults,
`field`, keywords only, `__post_init__`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field
from inspect import get_annotations
from threading import RLock
from typing import TYPE_CHECKING, Any

_LOCK = RLock()
_CONSTRUCTING = ("__init__",)
_DESCRIBING = ("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__replace__")
_PRINTING = ("__repr__",)
_COMPARING = ("__eq__",)
_HASHING = ("__hash__",)
_ORDERING = ("__lt__", "__le__", "__gt__", "__ge__")
_WRITTEN = "__written__"
"""The attribute of a record with what its class statement wrote, and whether its fields are keywords."""


class _Later:
    """Stands in a class for a name that `make` gives it."""

    __slots__ = ("_cls", "_make", "_name")

    def __init__(self, make: Callable[[type], None]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._cls, self._name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        self._make(self._cls)
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

        def standard(**how: bool) -> Callable[[type], Mapping[str, Any]]:
            def make(made: type) -> Mapping[str, Any]:
                whole = type(made)(made.__name__, made.__bases__, namespace)
                return vars(dataclasses.dataclass(**options, **how)(whole))

            return make

        later: dict[str, Any] = {_WRITTEN: (namespace, options.get("kw_only", False))}
        later |= _put_off(namespace, _CONSTRUCTING, lambda made: {"__init__": _constructor(made, slots)})
        later |= _put_off(namespace, _DESCRIBING, standard(repr=False, eq=False, slots=slots))
        later |= _put_off(namespace, _PRINTING, standard(init=False, eq=False))
        if eq:
            names = (*_COMPARING, *(_HASHING if frozen else ()), *(_ORDERING if order else ()))
            how = {"init": False, "repr": False, "unsafe_hash": frozen, "order": order}
            later |= _put_off(namespace, names, standard(**how))
            if not frozen and "__hash__" not in namespace:
                later["__hash__"] = None
        return _with_slots(cls, namespace, later) if slots else _changed(cls, later)

    return decorate


def _put_off(
    namespace: Mapping[str, Any], names: Iterable[str], give: Callable[[type], Mapping[str, Any]]
) -> dict[str, _Later]:
    """What stands for those names that a class has not written itself, until it is asked for one of them."""
    waiting = {name for name in names if name not in namespace}

    def make(cls: type) -> None:
        with _LOCK:
            if not waiting:
                return
            made = give(cls)
            for name in waiting & made.keys():
                setattr(cls, name, made[name])
            for name in waiting - made.keys():  # `__replace__`, before Python 3.13
                delattr(cls, name)
            waiting.clear()

    return {name: _Later(make) for name in waiting}


def _with_slots(cls: type, namespace: Mapping[str, Any], later: Mapping[str, Any]) -> type:
    """The class, with slots for its fields."""
    own = get_annotations(cls)
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    slots = tuple(name for name in own if name not in inherited)
    kept = {key: value for key, value in namespace.items() if key not in own}
    return type(cls)(cls.__name__, cls.__bases__, {**kept, **later, "__slots__": slots})


def _changed(cls: type, later: Mapping[str, Any]) -> type:
    """The class itself, with its defaults in the place of what `field` has left in it."""
    for name in get_annotations(cls).keys() & vars(cls).keys():
        default = _Part(vars(cls)[name], keyword=False).default
        if default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, default)
    for name, value in later.items():
        setattr(cls, name, value)
        if isinstance(value, _Later):
            value.__set_name__(cls, name)
    return cls


class _Part:
    """A field, as far as a constructor needs it: `default` and `make` are MISSING where there is none."""

    __slots__ = ("default", "given", "keyword", "make")

    def __init__(self, written: object, keyword: bool) -> None:
        self.default: object = written
        self.make: object = MISSING
        self.given, self.keyword = True, keyword
        if isinstance(written, Field):
            self.default, self.make, self.given = written.default, written.default_factory, written.init
            self.keyword = keyword if written.kw_only is MISSING else written.kw_only


def _parts(cls: type) -> dict[str, _Part]:
    """The fields of a record, those of its bases first."""
    found: dict[str, _Part] = {}
    for base in reversed(cls.__mro__):
        if _WRITTEN in vars(base):
            namespace, keyword = vars(base)[_WRITTEN]
            for name in get_annotations(base):
                found[name] = _Part(namespace.get(name, MISSING), keyword)
    return found


def _constructor(cls: type, slots: bool) -> Callable[..., None]:
    """The constructor that the standard decorator would compile, but for its annotations."""
    parts = _parts(cls)
    known: dict[str, Any] = {"_made": MISSING, "__name__": cls.__module__}
    body = [line for name, part in parts.items() for line in _assigned(name, part, slots, known)]
    body += ["self.__post_init__()"] * hasattr(cls, "__post_init__")
    words = ["self", *(_parameter(name, part) for name, part in parts.items() if not part.keyword)]
    keywords = [_parameter(name, part) for name, part in parts.items() if part.keyword]
    words += ["*", *keywords] if any(keywords) else []
    text = f"def __init__({', '.join(filter(None, words))}):\n " + "\n ".join(body or ["pass"])
    exec(text, known)  # names of fields alone, as in the standard decorator
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _assigned(name: str, part: _Part, slots: bool, known: dict[str, Any]) -> Iterator[str]:
    """The statement that gives an object a field; what it needs is put among the `known` names."""
    own = f"_default_{name}"
    if part.make is not MISSING:
        known[own] = part.make
        yield f"self.{name} = " + (f"{own}() if {name} is _made else {name}" if part.given else f"{own}()")
    else:
        known[own] = part.default
        if part.given:
            yield f"self.{name} = {name}"
        elif slots and part.default is not MISSING:  # otherwise the class has it
            yield f"self.{name} = {own}"


def _parameter(name: str, part: _Part) -> str:
    """A field as a parameter of the constructor, "" where it is none."""
    if not part.given:
        return ""
    if part.make is not MISSING:
        return f"{name}=_made"
    return name if part.default is MISSING else f"{name}=_default_{name}"


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record
