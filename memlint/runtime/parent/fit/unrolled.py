"""Options that a script adds in a loop: `for name, default in [("batch", 8)]: add_argument(f"--{name}")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of a file, those of loops over written-out values once for each value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node
        elif isinstance(node, ast.For) and (items := _items(node.iter)):
            inside = [each for part in node.body for each in ast.walk(part) if isinstance(each, ast.Call)]
            for item in items:
                values = _Values(_bound(node.target, item))
                yield from (values.visit(deepcopy(call)) for call in inside)


def _items(node: ast.expr) -> list[Any]:
    """What a loop goes over, where that is written out: a list, a tuple, or the items of a dictionary."""
    function = node.func if isinstance(node, ast.Call) else None
    of_pairs = isinstance(function, ast.Attribute) and function.attr == "items"
    written = function.value if isinstance(function, ast.Attribute) and of_pairs else node
    try:
        found: Any = ast.literal_eval(written)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return []
    if of_pairs:
        return list(found.items()) if isinstance(found, dict) else []
    return list(found) if isinstance(found, (list, tuple)) else []


def _bound(target: ast.expr, item: Any) -> Mapping[str, Any]:
    """The values of a loop's names for one of its items."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(item, (list, tuple)):
        pairs = zip(target.elts, item, strict=False)
        return {name: value for each, part in pairs for name, value in _bound(each, part).items()}
    return {}


class _Values(ast.NodeTransformer):
    """Puts values in the place of names, and makes texts of what is formatted with them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of a name."""
        value = self._values.get(node.id)
        known = isinstance(value, (str, int, float, bool))
        return ast.copy_location(ast.Constant(value), node) if known else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """A text with values in it."""
        parts = [self._part(value) for value in node.values]
        if not all(isinstance(part, str) for part in parts):
            return node
        return ast.copy_location(ast.Constant("".join(map(str, parts))), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Two texts that are joined."""
        self.generic_visit(node)
        both = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
        if isinstance(node.op, ast.Add) and len(both) == 2 and all(isinstance(each, str) for each in both):
            return ast.copy_location(ast.Constant("".join(map(str, both))), node)
        return node

    def _part(self, node: ast.expr) -> str | None:
        plain = not isinstance(node, ast.FormattedValue) or (node.format_spec is None and node.conversion < 0)
        inner = self.visit(node.value if isinstance(node, ast.FormattedValue) else node)
        return str(inner.value) if plain and isinstance(inner, ast.Constant) else None
