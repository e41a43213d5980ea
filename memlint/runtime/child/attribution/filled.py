"""Containers that the script itself keeps from growing for ever: what its code says about their size.

A replay is often over before such a container is full. Two shapes count: every line that adds to it runs
below a comparison of its length, or of a number that is counted up beside it; or a line takes entries out
below a comparison of its length.
"""

from __future__ import annotations

import ast
import operator
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from memlint.runtime.child.project import Project
from memlint.session import Holder

ADDS = frozenset("append appendleft add extend extendleft insert put setdefault update".split())
REMOVES = frozenset("pop popleft popitem remove clear".split())
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CONTAINER = re.compile(r"(list|dict|set|deque|OrderedDict|defaultdict) with ")
_ENTRY = re.compile(r"(\w+)\['([^']*)'\]$")
_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip
_LAST_NAME = re.compile(r"\w+$")


Numbers = Mapping[str, int]
"""What the script's code calls whole numbers, with their values."""


def with_limits(
    holders: tuple[Holder, ...], project: Project, numbers: Mapping[str, Numbers] = MappingProxyType({})
) -> tuple[Holder, ...]:
    """The same holders, each with the bound that the project's code sets it, if any.

    `numbers` are those around each of them, by its name.
    """
    if all(holder.bound for holder in holders):
        return holders
    trees = dict(_trees(project.owns))
    return tuple(
        holder if holder.bound else _with_limit(holder, trees, project.name, numbers.get(holder.name, {}))
        for holder in holders
    )


def _trees(owns: Callable[[str], bool]) -> Iterator[tuple[str, ast.Module]]:
    for path in {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}:
        if path.endswith(".py") and owns(path):
            try:
                with tokenize.open(path) as file:
                    yield path, ast.parse(file.read())
            except (OSError, SyntaxError, ValueError):
                continue  # what cannot be read sets no limit


def _with_limit(
    holder: Holder, trees: Mapping[str, ast.Module], name: Callable[[str], str], numbers: Numbers
) -> Holder:
    """A container with what keeps it from growing; the same where a line adds to it without any limit."""
    found, kind = _LAST_NAME.search(holder.name), _CONTAINER.match(holder.what)
    if found is None or kind is None:
        return holder
    last, keyed = found[0], "dict" in kind[1].lower()
    added: list[Holder | None] = []
    for path, tree in trees.items():
        for node, tests in _statements(tree, ()):
            test = next(_of_length(tests, last), None)
            if test is not None and _takes_out(node, last):
                return _limited(holder, "emptied", test, name(path), numbers)
            if _adds(node, last, keyed):
                test = test or next(_of_counter(tests, node), None)
                limited = _limited(holder, "filled", test, name(path), numbers) if test is not None else None
                added.append(limited)
    return next((each for each in added if each), holder) if all(added) else holder


def _limited(holder: Holder, how: str, test: ast.Compare, path: str, numbers: Numbers) -> Holder:
    bound = f"{how} where `{ast.unparse(test)}` ({path}:{test.lineno})"
    return replace(holder, bound=bound, most=_most(test, how == "emptied", numbers))


def _most(test: ast.Compare, emptied: bool, numbers: Numbers) -> int:
    """How many entries there are at most by a comparison of their number; 0 where that is not known."""
    order, right = type(test.ops[0]), test.comparators[0]
    limit = _value(right if (order in (ast.Gt, ast.GtE)) is emptied else test.left, numbers)
    if limit is None:
        return 0
    strict = order in (ast.Lt, ast.Gt)
    # It is emptied once it has more than the limit, or as many; filled while it has fewer, or no more.
    return limit + (strict if emptied else not strict)


def _value(node: ast.expr, numbers: Numbers) -> int | None:
    """The whole number that an expression is, where its names are known."""
    if isinstance(node, ast.Constant):
        return int(node.value) if isinstance(node.value, (int, float)) else None
    if isinstance(node, (ast.Name, ast.Attribute)):
        return numbers.get(ast.unparse(node))
    if isinstance(node, ast.Call) and _named(node.func) == "int" and len(node.args) == 1:
        return _value(node.args[0], numbers)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _value(node.left, numbers), _value(node.right, numbers)
        return _ARITHMETIC[type(node.op)](left, right) if left is not None and right is not None else None
    return None


def lines_that_add(name: str, what: str, project: Project) -> list[tuple[str, int]]:
    """The lines (file, number) that may make a container larger, by its name and what it is in words."""
    found, keyed = _LAST_NAME.search(name), "dict" in what.partition(" ")[0].lower()
    entry = _ENTRY.search(name)
    return [
        (project.name(path), node.lineno)
        for path, tree in _trees(project.owns)
        for node, _ in _statements(tree, ())
        if (found and _adds(node, found[0], keyed)) or (entry and _adds_to_entry(node, entry[1], entry[2]))
    ]


def _adds_to_entry(node: ast.stmt, name: str, key: str) -> bool:
    """Whether a statement may make the container larger that is an entry of another one."""
    if isinstance(node, ast.AugAssign):
        return _is_entry(node.target, name, key)
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ADDS
        and _is_entry(call.func.value, name, key)
        for call in ast.walk(node)
    )


def _is_entry(value: ast.expr, name: str, key: str) -> bool:
    if not isinstance(value, ast.Subscript) or _named(value.value) != name:
        return False
    # A key that is no text may be this one.
    return not isinstance(value.slice, ast.Constant) or value.slice.value == key


Tests = tuple[tuple[ast.Compare, ast.If | ast.While], ...]
"""The comparisons below which a statement runs, the innermost first, with the statements that ask."""


def _statements(node: ast.AST, tests: Tests) -> Iterator[tuple[ast.stmt, Tests]]:
    """Each simple statement, with what it runs below."""
    if isinstance(node, _FUNCTIONS):
        tests = ()
    for child in ast.iter_child_nodes(node):
        below = tests
        if isinstance(node, (ast.If, ast.While)) and child in node.body:
            below = (*((test, node) for test in _comparisons(node.test)), *tests)
        if isinstance(child, _SIMPLE):
            yield child, below
        else:
            yield from _statements(child, below)


def _comparisons(test: ast.expr) -> Iterator[ast.Compare]:
    """Those that must hold where a condition does."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for value in test.values:
            yield from _comparisons(value)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ORDER):
        yield test


def _of_length(tests: Tests, name: str) -> Iterator[ast.Compare]:
    """The comparisons of a container's length."""
    for test, _ in tests:
        for side in (test.left, test.comparators[0]):
            is_length = isinstance(side, ast.Call) and _named(side.func) == "len"
            if is_length and [_named(value) for value in side.args] == [name]:  # type: ignore[attr-defined]
                yield test


def _of_counter(tests: Tests, adding: ast.stmt) -> Iterator[ast.Compare]:
    """The comparisons of a number that is counted up in the block that adds, and only there."""
    for test, statement in tests:
        # The condition of a loop counts its iterations: what each of them adds stays as long as it runs.
        if isinstance(statement, ast.If) and adding in statement.body:
            low = test.left if isinstance(test.ops[0], (ast.Lt, ast.LtE)) else test.comparators[0]
            if any(ast.unparse(low) == ast.unparse(target) for target in _counted_up(statement)):
                yield test


def _counted_up(statement: ast.If) -> Iterator[ast.expr]:
    for node in statement.body:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            yield node.target
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
            left, operation = node.value.left, node.value.op
            if isinstance(operation, ast.Add) and ast.unparse(left) == ast.unparse(node.targets[0]):
                yield node.targets[0]


def _adds(node: ast.stmt, name: str, keyed: bool) -> bool:
    """Whether a statement may make a container larger; `keyed` ones grow where a key is set."""
    if isinstance(node, ast.AugAssign):
        return _named(node.target) == name
    targets = node.targets if keyed and isinstance(node, ast.Assign) else ()
    if any(isinstance(target, ast.Subscript) and _named(target.value) == name for target in targets):
        return True
    return _calls(node, name, ADDS)


def _takes_out(node: ast.stmt, name: str) -> bool:
    if isinstance(node, ast.Delete):
        return any(isinstance(gone, ast.Subscript) and _named(gone.value) == name for gone in node.targets)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
        # x = x[-n:]
        kept = node.value
        return isinstance(kept.slice, ast.Slice) and _named(kept.value) == name == _named(node.targets[0])
    return _calls(node, name, REMOVES)


def _calls(node: ast.stmt, name: str, methods: frozenset[str]) -> bool:
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in methods
        and _named(call.func.value) == name
        for call in ast.walk(node)
    )


def _named(node: ast.expr) -> str:
    """The last name of an expression: `images` of `self.images`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
