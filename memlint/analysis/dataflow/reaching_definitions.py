"""Reaching definitions: which definitions may have given a name or an attribute the value read at a place.

A backward walk over the blocks of one function: branches are joined, an arm that returns or raises gives
nothing, the end of a loop's body reaches its start. Behind the beginning of a function come the other
methods of its class for attributes of `self`, and what the module around it defines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.control_flow import JUMPS
from memlint.analysis.dataflow.definitions import Definition, definitions_by
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.arguments import listed_parameters
from memlint.syntax.tree import dotted, statements

Reached = tuple[list[Definition], bool]
"""The definitions that leave a statement, and whether no earlier one does."""

_SHORT = 50
"""A block of more statements is indexed when it is asked about."""

_NOTHING: Reached = ([], False)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)
# Types are asked for: `isinstance` is ten times slower for node classes, which are abstract base classes.
_HOLDERS = frozenset({cst.For, cst.While, cst.With, cst.Try, cst.FunctionDef, cst.Lambda, *_COMPREHENSIONS})
_JUMPS = frozenset(JUMPS)


def reaching_definitions(model: ScriptModel, node: cst.CSTNode) -> list[Definition]:
    """The definitions that may have given a name or attribute chain the value that it has at `node`.

    None for what is no chain of names, and where the search leads back to `node` itself.
    """
    known = _known(model)
    found = known.get(node)
    if found is None:
        known[node] = []
        found = known[node] = _reaching(model, node)
    return found


def reaching_values(model: ScriptModel, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that a name or attribute may stand for at `node`.

    None where it may have got its value in any other way: as a parameter, from a loop, by unpacking. In a
    loop, `x = f(x)` does not count for the `x` that it reads.
    """
    around = set(model.ancestors(node))
    found = [d for d in reaching_definitions(model, node) if d.node not in around]
    values = [d.node for d in found if d.kind == "value" and isinstance(d.node, cst.BaseExpression)]
    return values if len(values) == len(found) else []


@cached
def _known(_: ScriptModel) -> dict[cst.CSTNode, list[Definition]]:
    return {}


def _reaching(model: ScriptModel, node: cst.CSTNode) -> list[Definition]:
    key = dotted(node)
    if not key:
        return []
    found: list[Definition] = []
    below: cst.CSTNode = node
    inner = False
    elsewhere: list[Definition] = []
    shared = key in model.names_of(node).scope_of(_leftmost(node)).outer
    for above in model.ancestors(node):
        if inner and isinstance(model.parent(above), cst.ClassDef):
            below = above
            continue
        if inner and isinstance(above, cst.Module):
            elsewhere = _global_writes(model, key)
        defs, sure = _from(model, above, below, key, inner)
        found += defs
        if sure:
            return found + elsewhere
        if isinstance(above, cst.FunctionDef):
            if key.startswith("self.") and model.class_of(above) is not None:
                known = any(d.kind != "updated" for d in found)
                return found if known else found + _of_attribute(model, above, key)
            if found and not shared:
                return found
            inner = True
        below = above
    return found + elsewhere if found else _global_writes(model, key)


@dataclass(frozen=True, slots=True)
class _Index:
    """The statements of a long block: where each is, and which of them have a say in what reaches a place.

    `defining` names for each name those that define it somewhere within, `leaving` are those with a jump; all
    others neither give a definition nor end the search. `left` holds what was found to leave each so far.
    """

    block: Sequence[cst.CSTNode]
    places: dict[cst.CSTNode, int]
    defining: dict[str, list[int]]
    leaving: list[int]
    left: dict[tuple[int, str], Reached]

    def reached(self, end: int, key: str) -> Reached:
        """The definitions of a name that may hold before a place."""
        found: list[Definition] = []
        for place in reversed(self.upto(end, key)):
            left = self.left.get((place, key))
            if left is None:
                left = self.left[place, key] = leaving(self.block[place], key)
            found += left[0]
            if left[1]:
                return found, True
        return found, False

    def upto(self, end: int, key: str) -> list[int]:
        """The statements before a place that have a say for a name."""
        found = self.defining.get(key, [])
        before = found[: bisect_left(found, end)]
        if not self.leaving:
            return before
        return sorted({*before, *self.leaving[: bisect_left(self.leaving, end)]})


@cached
def _indexed(model: ScriptModel, block: cst.CSTNode) -> _Index:
    index = _Index(statements(block), {}, {}, [], {})
    for place, statement in enumerate(index.block):
        index.places[statement] = place
        inside = model.walk(statement)
        for key in {dotted(target) for node in inside for target, _ in definitions_by(node)}:
            index.defining.setdefault(key, []).append(place)
        if any(type(node) in _JUMPS for node in inside):
            index.leaving.append(place)
    return index


def _leftmost(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node


def _from(model: ScriptModel, above: cst.CSTNode, below: cst.CSTNode, key: str, inner: bool) -> Reached:
    """What a node around a read adds to the definitions that reach it.

    `inner` says that the read stands in a function that runs after the whole block did.
    """
    kind = type(above)
    if kind is cst.IndentedBlock or kind is cst.Module:
        block = statements(above)
        if len(block) > _SHORT:
            index = _indexed(model, above)
            end = len(block) if inner else index.places.get(below, len(block))
            return index.reached(end, key)
        number = next((n for n, s in enumerate(block) if s is below), len(block))
        return leaving_block(block if inner else block[:number], key)
    if kind not in _HOLDERS:
        return [], False
    if isinstance(above, cst.For) and below is above.body:
        own = _own(above, key)
        return (own, True) if own else (_of_a_turn(model, above, key), False)
    if isinstance(above, cst.While) and below is above.body:
        return _of_a_turn(model, above, key), False
    if isinstance(above, cst.With) and below is above.body:
        own = _entered(above, key)
        return own, bool(own)
    if isinstance(above, cst.Try) and below is not above.body:
        return leaving_block(statements(above.body), key)[0], False
    if isinstance(above, (cst.FunctionDef, cst.Lambda)) and below is above.body:
        own = [d for param in listed_parameters(above) for d in _own(param, key)]
        return own, bool(own)
    if isinstance(above, _COMPREHENSIONS):
        own = _comprehended(above, key)
        return own, bool(own)
    return [], False


@cached
def _of_a_turn(_: ScriptModel, loop: cst.For | cst.While, key: str) -> list[Definition]:
    """The definitions that one turn of a loop leaves to the next: the same for all that the loop reads."""
    return leaving(loop, key)[0]


def _global_writes(model: ScriptModel, key: str) -> list[Definition]:
    """The definitions that functions make of a name that they declare global."""
    if "global" not in model.text:
        return []
    writers = (
        model.function_of(n)
        for n in model.names.every(cst.Global)
        if any(item.name.value == key for item in n.names)
    )
    return [d for f in writers if f is not None for d in leaving_block(statements(f.body), key)[0]]


def _of_attribute(model: ScriptModel, function: cst.FunctionDef, key: str) -> list[Definition]:
    """The definitions of `self.x` that the other methods of the class leave behind."""
    owner = model.class_of(function)
    if owner is None:
        return []
    others = [m for m in methods(model, owner).values() if m is not function]
    found = [d for m in others for d in leaving_block(statements(m.body), key)[0]]
    return found or leaving_block(statements(function.body), key)[0]


def attribute_definitions(model: ScriptModel, owner: cst.ClassDef, name: str) -> list[Definition]:
    """The definitions of an attribute of its objects that the methods of a class leave behind."""
    bodies = (statements(m.body) for m in methods(model, owner).values())
    return [d for body in bodies for d in leaving_block(body, f"self.{name}")[0]]


@cached
def methods(model: ScriptModel, owner: cst.ClassDef) -> dict[str, cst.FunctionDef]:
    """The methods of a class, those of its bases in this file included."""
    found: dict[str, cst.FunctionDef] = {}
    for base in owner.bases:
        for d in reaching_definitions(model, base.value):
            if isinstance(d.node, cst.ClassDef) and d.node is not owner:
                found |= methods(model, d.node)
    own = (s for s in statements(owner.body) if isinstance(s, cst.FunctionDef))
    return found | {s.name.value: s for s in own}


# --- what leaves a statement ----------------------------------------------------------------------------


def leaving(statement: cst.CSTNode, key: str) -> Reached:
    """The definitions of `key` that may hold after a statement."""
    if type(statement) is cst.SimpleStatementLine:
        return _simple(statement.body, key)
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        own = _own(statement, key)
        return own, bool(own)
    if isinstance(statement, cst.If):
        first, second = _suite(statement.body, key), _else(statement.orelse, key)
        return [*first[0], *second[0]], first[1] and second[1]
    if isinstance(statement, (cst.For, cst.While)):
        found = _suite(statement.body, key)[0]
        return [*found, *_own(statement, key), *_else(statement.orelse, key)[0]], False
    if isinstance(statement, cst.With):
        found, sure = _suite(statement.body, key)
        own = _entered(statement, key)
        return (found, True) if sure else ([*found, *own], bool(own))
    if isinstance(statement, cst.Try):
        return _try(statement, key)
    if isinstance(statement, cst.Match):
        return [d for case in statement.cases for d in _suite(case.body, key)[0]], False
    return _NOTHING


def leaving_block(block: Sequence[cst.CSTNode], key: str) -> Reached:
    """The definitions of `key` that may hold after the last of several statements."""
    found: list[Definition] = []
    for statement in reversed(block):
        defs, sure = leaving(statement, key)
        found += defs
        if sure:
            return found, True
    return found, False


def _own(node: cst.CSTNode, key: str) -> list[Definition]:
    """The definitions of `key` that a node makes by itself."""
    return [d for target, d in definitions_by(node) if dotted(target) == key]


def _suite(body: cst.CSTNode, key: str) -> Reached:
    if isinstance(body, cst.SimpleStatementSuite):
        return _simple(body.body, key)
    return leaving_block(statements(body), key)


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


def _entered(statement: cst.With, key: str) -> list[Definition]:
    return [d for item in statement.items for d in _own(item, key)]


def _comprehended(
    node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, key: str
) -> list[Definition]:
    found: list[Definition] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        found += _own(clause, key)
        clause = clause.inner_for_in
    return found


def _simple(body: Iterable[cst.BaseSmallStatement], key: str) -> Reached:
    for small in reversed(tuple(body)):
        found = _own(small, key)
        if found:
            return found, True
        if type(small) in _JUMPS:
            return [], True
    return _NOTHING
