"""Conditions of the project that hang on values which were made up: how they came out, or the other way.

A condition hangs on such a value where one is asked for while it is evaluated, or where a name in it was
given its value by a line, or by a function, in which one was asked for. What a function gets as an argument
is not followed.
"""

from __future__ import annotations

import ast
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlint.runtime.child.limits.loops import ENDLESS
from memlint.runtime.child.limits.rewrite import Make, Transformer, dotted
from memlint.runtime.simulate.values import Values
from memlint.session import Decided

NAME, BEFORE = "__memlint_branch__", "__memlint_before__"

_LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)
_ENDS = frozenset({"exit", "_exit", "quit", "abort"})
_IDLE = _ENDS | frozenset(
    "print format join log debug info warning warn error exception write flush close append item tolist "
    "int float str len min max abs round range zip isnan isinf isfinite add_scalar update set_postfix time "
    "perf_counter items keys values get save dump is_available ceil floor sqrt exp".split()
)
"""Functions and methods that take no memory of the GPU that would outlive or exceed what is there."""

@dataclass(slots=True)
class Condition:
    """One condition of the source, and how it came out so far.

    `lines` give values to names in it, `functions` are called there. `opens` says for both outcomes, False
    first, whether what runs then may take memory. `key` says which it is, by function and number, so that
    lines may shift. `outcomes` counts them likewise: once a value was made up while it was evaluated
    (`asked`), only of such evaluations. `leaves` is the outcome that alone ends a `while` statement,
    None for all else, `stays` counts the others since then, and `left` says that it was ended all the same.
    """

    key: str
    path: str
    line: int
    lines: frozenset[int]
    functions: frozenset[str]
    opens: tuple[bool, bool]
    outcomes: list[int] = field(default_factory=lambda: [0, 0])
    asked: bool = False
    leaves: bool | None = None
    stays: int = 0
    left: bool = False


@dataclass(slots=True)
class _Scope:
    """What gives values to names in one function, or in the module: lines, names used, functions called."""

    given: dict[str, list[tuple[range, set[str], set[str]]]] = field(
        default_factory=lambda: defaultdict(list)
    )


class Branches:
    """Follows the conditions of the project; those in `turned` (their keys) come out the other way.

    A loop that goes on as long as values say which were made up is left after `longest` iterations.
    """

    def __init__(
        self, values: Values, turned: Collection[str], note: Callable[[str], None], longest: int
    ) -> None:
        self._values = values
        self._longest = longest
        self._note = note
        self._turned = frozenset(turned)
        self._functions: dict[str, list[tuple[str, range]]] = defaultdict(list)
        self.conditions: list[Condition] = []

    def rewriting(self) -> tuple[Make, dict[str, Any]]:
        """What changes the conditions of a file, and the names that they call then."""
        return lambda path: _Changed(path, self), {NAME: self._came_out, BEFORE: self._before}

    def _before(self) -> int:
        return self._values.total

    def _came_out(self, which: tuple[int, int], value: Any) -> bool:
        number, before = which
        condition = self.conditions[number]
        found = bool(value)
        asked = self._values.total != before
        if asked and not condition.asked:
            condition.asked, condition.outcomes = True, [0, 0]
        if condition.key in self._turned and (asked or self._is_of_made_up(condition)):
            found = not found
        if condition.leaves is not None and self._goes_on(condition, found):
            return condition.leaves
        condition.outcomes[found] += asked or not condition.asked
        return found

    def _is_of_made_up(self, condition: Condition) -> bool:
        """Whether names in a condition that never asks for a value may have had one that was made up."""
        return not condition.asked and self._hangs(condition, self._made_up())

    def _goes_on(self, condition: Condition, found: bool) -> bool:
        """Whether a loop would go on for ever, or as long as nobody knows."""
        condition.stays = 0 if found is condition.leaves else condition.stays + 1
        if condition.stays <= self._longest:
            return False
        if not self._hangs(condition, self._made_up()):
            condition.leaves = None
            return False
        condition.stays, condition.left = 0, True
        place = f"{os.path.basename(condition.path)}:{condition.line}"
        self._note(
            f"{place}: the loop goes on as long as values say which are made up, and was left after "
            f"{self._longest} iterations (--iterations takes more): what further ones keep is not in the need"
        )
        return True

    def _made_up(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for path, line in self._values.places():
            found[path].add(line)
        return found

    def defined(self, name: str, path: str, lines: range) -> None:
        """A function of the project has these lines."""
        self._functions[name].append((path, lines))

    def decided(self, name: Callable[[str], str]) -> tuple[Decided, ...]:
        """Conditions that hang on values which were made up, and came out one way only."""
        made_up = self._made_up()
        rows = []
        for condition in self.conditions:
            failed, held = condition.outcomes
            if (failed and held) or not (failed or held) or not self._hangs(condition, made_up):
                continue
            turned = condition.key in self._turned
            may = condition.opens[not held] or condition.left
            place = name(condition.path), condition.line
            rows.append(Decided(*place, condition.key, bool(held), may and not turned, turned))
        return tuple(rows)

    def _hangs(self, condition: Condition, made_up: dict[str, set[int]]) -> bool:
        if condition.asked or not condition.lines.isdisjoint(made_up[condition.path]):
            return True
        return any(
            line in lines
            for function in condition.functions
            for path, lines in self._functions.get(function, ())
            for line in made_up[path]
        )


class _Changed(Transformer):
    def __init__(self, path: str, branches: Branches) -> None:
        super().__init__(path)
        self._branches = branches
        self._scopes: list[_Scope] = []
        self._attributes = _Scope()
        self._numbers: Counter[str] = Counter()
        self._ways_out: set[ast.AST] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:  # noqa: N802 - a name of ast
        """Remember what gives values to names, then change the statements."""
        for inside in ast.walk(node):
            _note(inside, self._attributes, attributes=True)
            if isinstance(inside, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._branches.defined(inside.name, self.path, _lines(inside))
        self._scopes.append(_scope(node))
        return super().visit_Module(node)

    def _of_scope(self, node: Any) -> ast.AST:
        self._scopes.append(_scope(node))
        try:
            return super()._of_scope(node)
        finally:
            self._scopes.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _of_scope  # noqa: N815 - names of ast

    def visit_If(self, node: ast.If) -> ast.AST:  # noqa: N802 - a name of ast
        """Put a call around each condition of the test."""
        both = (opens(node.orelse) or leaves(node.body), opens(node.body))
        self.generic_visit(node)
        if any(both):
            node.test = self._around(node.test, both, True if node in self._ways_out else None)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:  # noqa: N802 - a name of ast
        """Put a call around each condition of a loop that no other transformer has changed."""
        self.generic_visit(node)
        only = None if _ways_out(node.body) else False
        both = (False, opens(node.body))
        if only is not None or any(both):
            node.test = self._around(node.test, both, only)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:  # noqa: N802 - a name of ast
        """Find the one condition that ends what was a `while` statement."""
        if any(isinstance(inside, ast.Name) and inside.id == ENDLESS for inside in ast.walk(node.iter)):
            ways = _ways_out(node.body)
            if len(ways) == 1 and ways[0] is not None:
                self._ways_out.add(ways[0])
        return self.generic_visit(node)

    def _around(self, test: ast.expr, both: tuple[bool, bool], leaves: bool | None) -> ast.expr:
        if isinstance(test, ast.BoolOp):
            test.values = [self._around(value, both, None) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            other = None if leaves is None else not leaves
            test.operand = self._around(test.operand, (both[1], both[0]), other)
            return test
        names, functions = _used(test)
        if not names and not functions:
            return test
        lines, called = self._sources(names)
        known = self._branches.conditions
        scope = ".".join(self.scope)
        self._numbers[scope] += 1
        key = f"{self.path}:{scope}:{self._numbers[scope]}"
        here = lines | {test.lineno}
        made = Condition(key, self.path, test.lineno, here, called | functions, both, leaves=leaves)
        known.append(made)
        before = ast.Call(ast.Name(BEFORE, ast.Load()), [], [])
        which = ast.Tuple([ast.Constant(len(known) - 1), before], ast.Load())
        call = ast.Call(ast.Name(NAME, ast.Load()), [which, test], [])
        for new in (call, call.func, which, which.elts[0], before, before.func):
            ast.copy_location(new, test)
        return call

    def _sources(self, names: set[str]) -> tuple[frozenset[int], frozenset[str]]:
        """Lines that the values of some names come from, by way of other names too, and functions called."""
        lines: set[int] = set()
        functions: set[str] = set()
        waiting, seen = list(names), set(names)
        while waiting:
            name = waiting.pop()
            for scope in (self._scopes[-1], self._scopes[0], self._attributes):
                for given, used, called in scope.given.get(name, ()):
                    lines.update(given)
                    functions |= called
                    waiting += used - seen
                    seen |= used
        return frozenset(lines), frozenset(functions)


def _scope(node: Any) -> _Scope:
    found = _Scope()
    for inside in _within(node.body):
        _note(inside, found)
    return found


def _within(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a block that belong to no function or class in it."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _within(list(ast.iter_child_nodes(node)))


def _note(node: ast.AST, scope: _Scope, *, attributes: bool = False) -> None:
    """What a node gives to names; with `attributes`, to attributes such as `self.best`, by their names."""
    if isinstance(node, ast.Assign):
        targets, value = node.targets, node.value
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        targets, value = [node.target], node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        targets, value = [node.target], node.iter
    else:
        return
    used, called = _used(value)
    for target in targets:
        for inside in ast.walk(target):
            if isinstance(inside, ast.Attribute) if attributes else isinstance(inside, ast.Name):
                name = inside.attr if isinstance(inside, ast.Attribute) else inside.id  # type: ignore[attr-defined]
                scope.given[name].append((_lines(value), used, called))


def _used(node: ast.AST) -> tuple[set[str], set[str]]:
    """Names and attributes that an expression reads, and the last names of what it calls."""
    calls = [inside for inside in ast.walk(node) if isinstance(inside, ast.Call)]
    functions = {found[-1] for call in calls if (found := dotted(call.func))}
    names = {inside.id for inside in ast.walk(node) if isinstance(inside, ast.Name)}
    return names | {inside.attr for inside in ast.walk(node) if isinstance(inside, ast.Attribute)}, functions


def _ways_out(body: Sequence[ast.AST], within: ast.If | None = None) -> list[ast.If | None]:
    """What ends a loop with this body: the `if` statement that does so if it holds, None for all else."""
    found: list[ast.If | None] = []
    for node in body:
        if isinstance(node, (ast.Break, ast.Return)):
            found.append(within)
        elif isinstance(node, ast.If):
            found += [*_ways_out(node.body, node), *_ways_out(node.orelse)]
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            inner = (way for way in _ways_out(node.body) if way is None or not _breaks(way))
            found += [*inner, *_ways_out(node.orelse)]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            found += _ways_out(list(ast.iter_child_nodes(node)))
    return found


def _breaks(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Break)


def _lines(node: Any) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def opens(body: Sequence[ast.AST]) -> bool:
    """Whether a block may take memory: it calls something that does more than print, count or end."""
    return not _raises(body) and any(
        dotted(inside.func)[-1:] == [] or dotted(inside.func)[-1] not in _IDLE
        for node in body
        for inside in ast.walk(node)
        if isinstance(inside, ast.Call)
    )


def _raises(body: Sequence[ast.AST]) -> bool:
    return bool(body) and (isinstance(body[-1], ast.Raise) or _is_end(body[-1]))


def leaves(body: Sequence[ast.AST]) -> bool:
    """Whether what stands behind a block is not reached from it."""
    return bool(body) and (isinstance(body[-1], _LEAVES) or _is_end(body[-1]))


def _is_end(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and not _ENDS.isdisjoint(dotted(call.func)[-1:])
