"""What an expression is, without its layout: its value, the place it names, the words in it.

Detectors compare names, places and values with these, never pieces of generated source: `del tape`
is no part of `del tape2`, and `box["a"]` is `box['a']`.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from typing import Any

import libcst as cst

from memlint.syntax.tree import code_fields, last_name, walk

_NAMED = {"True": True, "False": False, "None": None}
_NUMBERS = (cst.Integer, cst.Float)

UNKNOWN = ...
"""What `literal` gives for an expression whose value is not written out."""


@lru_cache(maxsize=4096)
def _value(text: str) -> Any:
    """What a number or string stands for. Python's parser is asked once for texts that come again and again;
    each answer of it leaves objects behind that hold one another."""
    return literal_eval(text)


def value_of(node: cst.Integer | cst.Float | cst.SimpleString) -> Any:
    """The value of a number or plain string."""
    return _value(node.value)


def literal(node: cst.CSTNode) -> object:
    """The value of a number, plain string, True, False or None that is written out; UNKNOWN for others."""
    kind = type(node)
    if kind is cst.Name:
        return _NAMED.get(node.value, UNKNOWN)  # type: ignore[attr-defined]
    if kind is cst.SimpleString or kind in _NUMBERS:
        return _value(node.value)  # type: ignore[attr-defined]
    if kind is cst.UnaryOperation and type(node.operator) is cst.Minus:  # type: ignore[attr-defined]
        number = node.expression  # type: ignore[attr-defined]
        return -_value(number.value) if type(number) in _NUMBERS else UNKNOWN
    return UNKNOWN


def is_text(node: cst.CSTNode, *wanted: str) -> bool:
    """Whether a node is a plain string of one of these values."""
    return type(node) is cst.SimpleString and value_of(node) in wanted


def item_key(node: cst.Subscript) -> object:
    """The literal key of `box["a"]` or `box[0]`; UNKNOWN for slices, several indices and other keys."""
    index = node.slice[0].slice if len(node.slice) == 1 else None
    return literal(index.value) if isinstance(index, cst.Index) else UNKNOWN


def place(node: cst.CSTNode) -> str:
    """The variable, attribute or item that an expression names: `self.boxes["a"][0].x`; "" for others.

    Two expressions of one place in one scope have equal results, however they are laid out.
    """
    kind = type(node)
    if kind is cst.Name:
        return node.value  # type: ignore[attr-defined, no-any-return]
    if kind is cst.Attribute:
        owner = place(node.value)  # type: ignore[attr-defined]
        return owner and f"{owner}.{node.attr.value}"  # type: ignore[attr-defined]
    if kind is cst.Subscript:
        owner, keys = place(node.value), [_key(element.slice) for element in node.slice]  # type: ignore[attr-defined]
        return f"{owner}[{', '.join(keys)}]" if owner and all(keys) else ""
    return ""


def shown_place(shown: str) -> str:
    """The place that a shown expression names, such as the target of a store: `box['a']` is `box["a"]`."""
    return shown.replace("'", '"')


def _key(index: cst.BaseSlice) -> str:
    return spelling(index.value) if isinstance(index, cst.Index) else ""


def given_to(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment gives to which target, one by one for `a, b = x, y`."""
    rows = (cst.Tuple, cst.List)
    if isinstance(target, rows) and isinstance(value, rows) and len(target.elements) == len(value.elements):
        for inner, given in zip(target.elements, value.elements, strict=True):
            yield from given_to(inner.value, given.value)
    else:
        yield target, value


def spelling(node: cst.CSTNode) -> str:
    """One spelling for all forms of a literal or a place: `"a"` for `'a'`; "" for other expressions."""
    value = literal(node)
    if isinstance(value, str):
        return f'"{value}"'
    return repr(value) if value is not UNKNOWN else place(node)


def same(a: cst.CSTNode, b: cst.CSTNode) -> bool:
    """Whether two expressions are the same but for blanks, parentheses around them, quotes and comments."""
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is cst.Name:
        return a.value == b.value  # type: ignore[attr-defined, no-any-return]
    if kind is cst.SimpleString:
        return value_of(a) == value_of(b)  # type: ignore[arg-type, no-any-return]
    return all(
        _same_part(getattr(a, name, None), getattr(b, name, None))
        for name in (*code_fields(kind), "operator", "star")
    )


def _same_part(x: object, y: object) -> bool:
    if isinstance(x, cst.CSTNode) and isinstance(y, cst.CSTNode):
        return same(x, y)
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        return len(x) == len(y) and all(map(_same_part, x, y))
    return x == y


def places_in(node: cst.CSTNode) -> Iterator[str]:
    """The places that a part of the code names: of `f(self.a, b[0])` these are f, self.a, self, b[0], b."""
    return (found for part in walk(node) if type(part) in _PLACES and (found := place(part)))


_PLACES = frozenset({cst.Name, cst.Attribute, cst.Subscript})


def reads_place(node: cst.CSTNode, wanted: Iterable[str]) -> bool:
    """Whether a part of the code names one of these places."""
    known = frozenset(wanted)
    return any(found in known for found in places_in(node))


def words_of(node: cst.CSTNode) -> Iterator[str]:
    """The names, of variables, members and keywords, and the strings in a part of the code."""
    return words_among(walk(node))


def words_among(nodes: Iterable[cst.CSTNode]) -> Iterator[str]:
    """The same of nodes that were gathered before."""
    for part in nodes:
        kind = type(part)
        if kind is cst.Name:
            yield part.value  # type: ignore[attr-defined]
        elif kind is cst.SimpleString:
            yield str(value_of(part))  # type: ignore[arg-type]
        elif kind is cst.FormattedStringText:
            yield part.value  # type: ignore[attr-defined]


def speaks_of(node: cst.CSTNode, pattern: re.Pattern[str]) -> bool:
    """Whether a name or a string in a part of the code matches somewhere: evidence by words only."""
    return any(pattern.search(word) for word in words_of(node))


def mentions(node: cst.CSTNode, *names: str) -> bool:
    """Whether one of these names, of a variable, member or keyword, stands in a part of the code."""
    return any(type(part) is cst.Name and part.value in names for part in walk(node))


def calls_in(node: cst.CSTNode, *names: str) -> Iterator[cst.Call]:
    """The calls of functions or methods of these names in a part of the code: `cpu` finds `x[0].cpu()`.

    Without names, all calls.
    """
    for part in walk(node):
        if type(part) is cst.Call and (not names or last_name(part.func) in names):
            yield part


def calls_one(node: cst.CSTNode, *names: str) -> bool:
    """Whether a part of the code calls a function or method of one of these names."""
    return any(True for _ in calls_in(node, *names))


def called_on(node: cst.BaseExpression, methods: Container[str]) -> cst.BaseExpression:
    """What methods of these names were called on, one behind the other: `x` of `x.to(device).cuda()`."""
    while type(node) is cst.Call and type(node.func) is cst.Attribute and node.func.attr.value in methods:
        node = node.func.value
    return node


def takes_remainder(node: cst.CSTNode) -> bool:
    """Whether a remainder is taken in an expression, as in `step % 100 == 0`."""
    parts = (part for part in walk(node) if isinstance(part, cst.BinaryOperation))
    return any(isinstance(part.operator, cst.Modulo) for part in parts)


def asks_length(node: cst.CSTNode) -> bool:
    """Whether a part of the code takes the length of something."""
    return calls_one(node, "len")
