"""Which statements may have given a name or an attribute the value that is read at a place.

A backward walk over the blocks of one function: branches are joined, an arm that returns or raises gives
nothing, the end of a loop's body reaches its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from memlint.syntax.tree import dotted, statements


@dataclass(frozen=True, slots=True, eq=False)
class Def:
    """One binding of a name.

    kind: "value" (`node` is the expression), "item" (number `index` of what `node` gives), "each" (an
    element of `node`), "entered" (what the context manager `node` gives), "updated" (`node` is an augmented
    assignment), "function", "class", "param" (`node` is the definition), or "other".
    """

    kind: str
    node: cst.CSTNode
    index: int = -1


Reached = tuple[list[Def], bool]
"""The bindings that leave a statement, and whether no earlier one does."""

_NOTHING: Reached = ([], False)


def leaving(statement: cst.CSTNode, key: str) -> Reached:
    """The bindings of `key` that may hold after a statement."""
    if isinstance(statement, cst.SimpleStatementLine):
        return _simple(statement.body, key)
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        kind = "class" if isinstance(statement, cst.ClassDef) else "function"
        return ([Def(kind, statement)], True) if statement.name.value == key else _NOTHING
    if isinstance(statement, cst.If):
        first, second = _suite(statement.body, key), _else(statement.orelse, key)
        return [*first[0], *second[0]], first[1] and second[1]
    if isinstance(statement, (cst.For, cst.While)):
        found = _suite(statement.body, key)[0]
        own = target(statement.target, statement.iter, key, "each") if isinstance(statement, cst.For) else []
        return [*found, *own, *_else(statement.orelse, key)[0]], False
    if isinstance(statement, cst.With):
        found, sure = _suite(statement.body, key)
        return (found, True) if sure else ([*found, *entered(statement, key)], bool(entered(statement, key)))
    if isinstance(statement, cst.Try):
        return _try(statement, key)
    if isinstance(statement, cst.Match):
        return [d for case in statement.cases for d in _suite(case.body, key)[0]], False
    return _NOTHING


def leaving_all(block: Sequence[cst.CSTNode], key: str) -> Reached:
    """The bindings of `key` that may hold after the last of several statements."""
    found: list[Def] = []
    for statement in reversed(block):
        defs, sure = leaving(statement, key)
        found += defs
        if sure:
            return found, True
    return found, False


def _suite(body: cst.CSTNode, key: str) -> Reached:
    if isinstance(body, cst.SimpleStatementSuite):
        return _simple(body.body, key)
    return leaving_all(statements(body), key)


def _else(node: cst.If | cst.Else | None, key: str) -> Reached:
    if node is None:
        return _NOTHING
    return leaving(node, key) if isinstance(node, cst.If) else _suite(node.body, key)


def _try(statement: cst.Try, key: str) -> Reached:
    last = _suite(statement.finalbody.body, key) if statement.finalbody is not None else _NOTHING
    if last[1]:
        return last
    body, handlers = _suite(statement.body, key), [_suite(h.body, key) for h in statement.handlers]
    rest = _else(statement.orelse, key)
    found = [*last[0], *rest[0], *([] if rest[1] else body[0]), *(d for h in handlers for d in h[0])]
    return found, (body[1] or rest[1]) and all(h[1] for h in handlers)


def entered(statement: cst.With, key: str) -> list[Def]:
    """The bindings that the header of a `with` makes."""
    return [
        d
        for item in statement.items
        if item.asname is not None
        for d in target(item.asname.name, item.item, key, "entered")
    ]


def comprehended(node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, key: str) -> list[Def]:
    """The bindings that the clauses of a comprehension make."""
    found: list[Def] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        found += target(clause.target, clause.iter, key, "each")
        clause = clause.inner_for_in
    return found


def _simple(body: Iterable[cst.BaseSmallStatement], key: str) -> Reached:
    for small in reversed(tuple(body)):
        found: list[Def] = []
        if isinstance(small, cst.Assign):
            found = [d for t in small.targets for d in target(t.target, small.value, key, "value")]
        elif isinstance(small, cst.AnnAssign) and small.value is not None:
            found = target(small.target, small.value, key, "value")
        elif isinstance(small, cst.AugAssign) and dotted(small.target) == key:
            found = [Def("updated", small)]
        elif isinstance(small, (cst.Import, cst.ImportFrom)) and not isinstance(small.names, cst.ImportStar):
            names = (a.evaluated_alias or dotted(a.name).partition(".")[0] for a in small.names)
            found = [Def("other", small)] if key in names else []
        if found:
            return found, True
        if isinstance(small, (cst.Return, cst.Raise, cst.Continue, cst.Break)):
            return [], True
    return _NOTHING


def target(node: cst.BaseExpression, value: cst.BaseExpression, key: str, kind: str) -> list[Def]:
    """The bindings of `key` that assigning `value` to a target makes."""
    if not isinstance(node, (cst.Tuple, cst.List)):
        return [Def(kind, value)] if dotted(node) == key else []
    for number, element in enumerate(node.elements):
        if dotted(element.value) == key:
            if kind == "value" and isinstance(value, (cst.Tuple, cst.List)) and number < len(value.elements):
                return [Def("value", value.elements[number].value)]
            return [Def("item" if kind == "value" else f"{kind} item", value, number)]
        if isinstance(element.value, (cst.Tuple, cst.List)) and target(element.value, value, key, "other"):
            return [Def("other", value)]
    return []
