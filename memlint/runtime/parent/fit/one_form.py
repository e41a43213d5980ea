"""The files of a script in one form: `cfg.get("n")` as `cfg["n"]`, arguments by their names.

Nodes keep the places that they have in the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping


def trees(texts: Mapping[str, str]) -> dict[str, ast.Module]:
    """The files by their paths."""
    parsed = {path: ast.parse(text) for path, text in texts.items()}
    nodes = [node for tree in parsed.values() for node in ast.walk(tree)]
    form = _OneForm(_parameters(nodes), _names_of_keys(nodes))
    return {path: form.visit(tree) for path, tree in parsed.items()}


def _parameters(nodes: Iterable[ast.AST]) -> dict[str, list[str]]:
    """What functions and classes take, in order: those of whose name there is one in the script."""
    found: dict[str, list[list[str]]] = {}
    methods = {id(one) for node in nodes if isinstance(node, ast.ClassDef) for one in node.body}
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and id(node) not in methods:
            found.setdefault(node.name, []).append(_positional(node))
        elif isinstance(node, ast.ClassDef):
            found.setdefault(node.name, []).append(_made_of(node))
    return {name: kinds[0] for name, kinds in found.items() if len(kinds) == 1}


def _made_of(node: ast.ClassDef) -> list[str]:
    """What a class is made of: the parameters of its `__init__`, else its fields with a type."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            return _positional(one)[1:]
    fields = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
    inherits = any(not isinstance(base, ast.Name) or base.id != "NamedTuple" for base in node.bases)
    return [] if inherits else [target.id for target in fields if isinstance(target, ast.Name)]


def _positional(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]


def _names_of_keys(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The names that stand for one text: KEY = "batch"."""
    found: dict[str, set[object]] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, set())
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value.value if isinstance(node.value, ast.Constant) else None
            found.setdefault(node.targets[0].id, set()).add(value)
    texts = {name: next(iter(values)) for name, values in found.items() if len(values) == 1}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


class _OneForm(ast.NodeTransformer):
    """Puts references in the place of calls that look up a key, and names to arguments."""

    def __init__(self, parameters: Mapping[str, list[str]], keys: Mapping[str, str]) -> None:
        self._parameters = parameters
        self._keys = keys

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`cfg.get("n", 8)` is cfg["n"]; `Config(8)` is Config(n=8)."""
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "get" and node.args:
            key = node.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return ast.copy_location(ast.Subscript(function.value, key, ast.Load()), node)
        called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        names = self._parameters.get(called, [])
        if names and not any(isinstance(arg, ast.Starred) for arg in node.args):
            named = zip(names, node.args, strict=False)
            node.keywords = [*(ast.keyword(name, arg) for name, arg in named), *node.keywords]
            node.args = node.args[len(names) :]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """`cfg[KEY]` is cfg["batch"] after KEY = "batch"."""
        self.generic_visit(node)
        key = self._keys.get(node.slice.id) if isinstance(node.slice, ast.Name) else None
        if key is not None:
            node.slice = ast.copy_location(ast.Constant(key), node.slice)
        return node
