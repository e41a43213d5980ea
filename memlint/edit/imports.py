"""Adding an import to a module: is it needed, would it clash, and where does it go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import libcst as cst

from memlint.edit.places import Gap, Page, RefusedError, place_of
from memlint.syntax.tree import children, dotted

_OPAQUE = (cst.FunctionDef, cst.ClassDef, cst.Import, cst.ImportFrom, cst.BaseExpression)

Binding = tuple[str, str]
"""A name and where it comes from: ("nn", "torch.nn"); ("x", "") for anything but an import."""


def is_missing(module: cst.Module, code: str) -> bool:
    """Whether an import statement still has to be added.

    Raises:
        RefusedError: a name that it binds already means something else at module level.
    """
    bound: defaultdict[str, set[str]] = defaultdict(set)
    loaded: set[str] = set()
    for statement in _statements(module.body):
        for name, origin in _bindings(statement):
            bound[name].add(origin)
        loaded.update(_loaded(statement))
    missing = False
    for statement in _statements(cst.parse_module(code).body):
        for name, origin in _bindings(statement):
            if bound[name] - {origin}:
                raise RefusedError(f"`{name}` means something else in this file")
            missing = missing or not bound[name]
        for path in _loaded(statement):
            missing = missing or not any(f"{other}.".startswith(f"{path}.") for other in loaded)
    return missing


def import_gap(page: Page) -> tuple[Gap, list[str], list[str]]:
    """Where a new import goes, with the lines to put before and after it.

    After the leading imports; without any, after the docstring or in front of the first statement. In a
    notebook after the first imports, wherever they stand.

    Raises:
        RefusedError: the module has no statement, or the notebook no import.
    """
    body = page.tree.module.body
    if not body:
        raise RefusedError("the file has no statement")
    skip = 1 if _is_docstring(body[0]) else 0
    if page.tree.notebook:
        skip = next((at for at, statement in enumerate(body) if _is_import_line(statement)), len(body))
        if skip == len(body):
            raise RefusedError("no cell imports anything")
    count = skip
    while count < len(body) and _is_import_line(body[count]):
        count += 1
    if count > skip:
        return place_of(page, body[count - 1]).after, [], []
    if skip:
        return place_of(page, body[0]).after, [""], []
    return place_of(page, body[0]).before, [], [""]


def _is_docstring(statement: cst.BaseStatement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Expr):
        return False
    return isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))


def _is_import_line(statement: cst.BaseStatement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Import, cst.ImportFrom)) for small in statement.body
    )


def _statements(body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """Every statement that runs in the scope of the module, without what is only for type checkers."""
    for node in body:
        if isinstance(node, cst.If) and dotted(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            continue
        yield node
        if not isinstance(node, _OPAQUE):
            yield from _statements(children(node))


def _bindings(statement: cst.CSTNode) -> Iterator[Binding]:
    if isinstance(statement, cst.Import):
        for alias in statement.names:
            path = dotted(alias.name)
            top = path.partition(".")[0]
            yield (alias.evaluated_alias, path) if alias.evaluated_alias else (top, top)
    elif isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
        source = "." * len(statement.relative) + (dotted(statement.module) if statement.module else "")
        for alias in statement.names:
            name = dotted(alias.name)
            yield alias.evaluated_alias or name, f"{source}.{name}"
    elif isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        yield statement.name.value, ""
    elif isinstance(statement, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For)):
        yield from ((name, "") for name in _target_names(statement.target))
    elif isinstance(statement, cst.AsName):
        yield from ((name, "") for name in _target_names(statement.name))


def _loaded(statement: cst.CSTNode) -> Iterator[str]:
    """The modules that `import a.b` makes reachable through the name `a`."""
    if isinstance(statement, cst.Import):
        yield from (dotted(alias.name) for alias in statement.names if alias.asname is None)


def _target_names(target: cst.BaseExpression) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _target_names(element.value)
