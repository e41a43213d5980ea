"""Rebuilds frozen dataclasses from the JSON that dataclasses.asdict made of them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints


def decode(kind: Any, value: Any) -> Any:
    """Rebuild the dataclass (or container, or scalar) `kind` from its JSON form.

    Raises:
        TypeError: a field is missing or unknown, or a value has another shape.
    """
    origin = get_origin(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        return _decode_dataclass(kind, value)
    if origin in (Union, types.UnionType):
        return (
            None if value is None else decode(next(a for a in get_args(kind) if a is not type(None)), value)
        )
    if origin is tuple:
        return _decode_tuple(get_args(kind), value)
    if origin is dict:
        _expect(value, Mapping, "object")
        return {key: decode(get_args(kind)[1], item) for key, item in value.items()}
    if kind is Any:
        return value
    _expect(value, (int, float) if kind is float else kind, kind.__name__)
    return value


def _decode_dataclass(kind: type[Any], value: Any) -> Any:
    _expect(value, Mapping, kind.__name__)
    hints = get_type_hints(kind)
    known = {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(kind)}
    if unknown := set(value) - known.keys():
        raise TypeError(f"{kind.__name__} has no field {sorted(unknown)[0]!r}")
    if missing := [name for name, required in known.items() if required and name not in value]:
        raise TypeError(f"{kind.__name__} lacks its field {missing[0]!r}")
    return kind(**{name: decode(hints[name], item) for name, item in value.items()})


def _decode_tuple(args: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    _expect(value, list, "list")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(decode(args[0], item) for item in value)
    return tuple(decode(arg, item) for arg, item in zip(args, value, strict=True))


def _expect(value: Any, kind: Any, name: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r:.60} is no {name}")
