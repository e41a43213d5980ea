"""Imports of which fixes took away the last use: they go as well, where nothing rests on them."""

from __future__ import annotations

import ast
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.import_statements import imports, without
from memlint.analysis.match import Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.edit.lower import lower
from memlint.finding import Applicability, Edit

_WITHOUT_EFFECT = sys.stdlib_module_names | {"torch", "tensorflow", "keras"}
"""Packages whose import does nothing else that a script could notice."""


def orphans(old: str, new: str, path: str) -> list[Edit]:
    """The edits that take out of `new` the imports that were of use in `old` and no longer are.

    Imports in a `try` stay, and those of other packages: they may do something.
    """
    gone = _unused(new) - _unused(old)
    if not gone:
        return []
    model = ScriptModel.parse(new, path)
    aliases: defaultdict[cst.Import | cst.ImportFrom, set[cst.ImportAlias]] = defaultdict(set)
    for item in imports(model):
        known = item.path.partition(".")[0] in _WITHOUT_EFFECT
        if item.alias is not None and item.name in gone and known and not _is_tried(model, item.statement):
            aliases[item.statement].add(item.alias)
    edits: list[Edit] = []
    for statement, unused in aliases.items():
        rest = without(model, statement, frozenset(unused))
        change = Replace(statement, rest) if rest else Remove(statement)
        fix = lower(Plan(Applicability.SAFE, "remove the unused import", (change,)), model)
        edits += fix.edits if fix is not None else ()
    return edits


def _is_tried(model: ScriptModel, statement: cst.CSTNode) -> bool:
    return any(isinstance(above, cst.Try) for above in model.ancestors(statement))


def _unused(text: str) -> set[str]:
    """The names that a text imports and never reads; none when this Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    bound = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    return bound - set(_names(tree))


def _names(tree: ast.AST) -> Iterator[str]:
    """The names that a tree mentions, in strings that are expressions too: annotations, `__all__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            try:
                yield from _names(ast.parse(node.value.strip(), mode="eval"))
            except (SyntaxError, ValueError):
                continue
