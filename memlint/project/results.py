"""What functions give back without a graph, read from their text alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from memlint.source.parsing import parsed

_LEAVES = frozenset(["detach", "detach_", "item", "tolist", "numpy"])
_NUMBERS = frozenset(["float", "int", "len", "str", "bool"])
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@lru_cache(maxsize=256)
def detached_results(source: str) -> tuple[bool, ...]:
    """Whether each result of a function has left its graph, such as `loss, parts` of a function that ends in
    `return loss, torch.cat(parts).detach()`; empty where it is no function and where its returns differ.

    Args:
        source: the text of one function.
    """
    try:
        body = parsed(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    function = body[0] if body else None
    return _results(function) if isinstance(function, ast.FunctionDef) else ()


@lru_cache(maxsize=32)
def detached_by_methods(text: str, name: str) -> list[tuple[bool, ...]]:
    """The same for each method of a name in the classes of a file, those that only raise left out."""
    try:
        classes = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [()]
    methods = (m for c in classes for m in c.body if isinstance(m, ast.FunctionDef) and m.name == name)
    return [_results(m) for m in methods if not isinstance(m.body[-1], (ast.Raise, ast.Pass))]


def _results(function: ast.FunctionDef) -> tuple[bool, ...]:
    """Whether each result of a function has left its graph."""
    if function.decorator_list:
        return ()
    nodes = list(_own(function))
    values = [node.value for node in nodes if isinstance(node, ast.Return)]
    if not values or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes):
        return ()
    results = [v.elts if isinstance(v, ast.Tuple) else [v] for v in values if v is not None]
    if len(results) < len(values) or len({len(parts) for parts in results}) > 1:
        return ()
    names = _detached_names(nodes) - {
        node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)
    }
    return tuple(all(_has_left(part, names) for part in parts) for parts in zip(*results, strict=True))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, those of functions inside it left out."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _SCOPES):
            yield child
            yield from _own(child)


def _detached_names(nodes: list[ast.AST]) -> frozenset[str]:
    """The variables of a function that are only given what has left its graph."""
    given: dict[str, list[ast.expr | None]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    given.setdefault(target.id, []).append(node.value)
    plain = {id(t) for node in nodes if isinstance(node, ast.Assign) for t in node.targets}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in plain:
            given.setdefault(node.id, []).append(None)
    return frozenset(
        name
        for name, values in given.items()
        if all(value is not None and _has_left(value, frozenset()) for value in values)
    )


def _has_left(node: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression gives what carries no graph: `x.detach()`, `float(x)`, a variable with such."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return bool(node.elts) and all(_has_left(element, names) for element in node.elts)
    if isinstance(node, ast.Dict):
        return bool(node.values) and all(_has_left(value, names) for value in node.values)
    if isinstance(node, ast.BinOp):
        return _has_left(node.left, names) and _has_left(node.right, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _LEAVES or _has_left(node.func.value, names)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _NUMBERS
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return getattr(node, "attr", "") in ("data", "shape") or _has_left(node.value, names)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in names)
