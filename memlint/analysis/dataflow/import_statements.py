"""The import statements of a file one name at a time, and how a dotted name can be written at a place."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel
from memlint.records import dataclass
from memlint.syntax.names import NameScope
from memlint.syntax.tree import dotted

ImportNode = cst.Import | cst.ImportFrom


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """One name that an import statement binds.

    `path` is the full dotted name after `import` or `from ... import`; `name` is what it is called in
    the file; `alias` is None for `from path import *`.
    """

    statement: ImportNode
    alias: cst.ImportAlias | None
    path: str
    name: str
    scope: NameScope

    @property
    def renamed(self) -> bool:
        """Whether the statement gives the name with `as`."""
        return self.alias is not None and self.alias.asname is not None

    @property
    def is_module(self) -> bool:
        """Whether this is `import a.b` rather than `from a import b`."""
        return isinstance(self.statement, cst.Import)

    @property
    def node(self) -> cst.CSTNode:
        """What a finding about this name points at."""
        return self.alias or self.statement


@cached
def imports(model: ScriptModel) -> list[Imported]:
    """Every name that an absolute import of the file binds, in source order."""
    found: list[Imported] = []
    for node, scope in model.names.scopes.items():
        # Classes of libcst are abstract base classes: isinstance takes ten times as long when it says no.
        if type(node) is cst.Import:
            found += [Imported(node, a, dotted(a.name), _bound(a), scope) for a in node.names]
        elif type(node) is cst.ImportFrom and node.module is not None and not node.relative:
            module = dotted(node.module)
            if isinstance(node.names, cst.ImportStar):
                found.append(Imported(node, None, module, "*", scope))
            else:
                found += [
                    Imported(node, a, f"{module}.{dotted(a.name)}", _bound(a), scope) for a in node.names
                ]
    return found


def _bound(alias: cst.ImportAlias) -> str:
    return alias.evaluated_alias or dotted(alias.name).partition(".")[0]


def head_of(node: cst.CSTNode) -> cst.Name:
    """The leftmost name of an attribute chain.

    Raises:
        AssertionError: the chain starts with something else than a name, such as a call.
    """
    while isinstance(node, cst.Attribute):
        node = node.value
    assert isinstance(node, cst.Name)
    return node


def head_path(model: ScriptModel, node: cst.CSTNode) -> str:
    """What the leftmost name of a chain is imported as: `torch.cuda` after `import torch.cuda as c`."""
    return model.names.one(head_of(node))


def spelled(model: ScriptModel, node: cst.CSTNode, path: str) -> str:
    """How `path` is written at `node`, with the same leftmost name; "" if that does not reach it."""
    base = head_path(model, node)
    return head_of(node).value + path[len(base) :] if base and path.startswith(f"{base}.") else ""


def torch_name(model: ScriptModel, node: cst.CSTNode) -> str:
    """The name that means torch where `node` stands; "" where nothing does."""
    return name_of("torch", model, node)


def name_of(path: str, model: ScriptModel, node: cst.CSTNode) -> str:
    """The name that `path` is imported as where `node` stands; "" where it is not."""
    scope: NameScope | None = model.names.scope_of(node)
    while scope is not None:
        for name, paths in scope.imports.items():
            owner = model.names.scope_of(node).owner(name)
            if paths == {path} and owner is scope and name not in scope.others:
                return name
        scope = scope.parent
    return ""


def without(model: ScriptModel, statement: ImportNode, gone: frozenset[cst.ImportAlias]) -> str:
    """The source of an import statement without some of its names; "" when none is left.

    Raises:
        AssertionError: the statement is `from path import *`.
    """
    assert not isinstance(statement.names, cst.ImportStar)
    kept = [alias for alias in statement.names if alias not in gone]
    if not kept:
        return ""
    kept[-1] = kept[-1].with_changes(comma=statement.names[-1].comma)
    return source(model, statement.with_changes(names=kept))


def reimported(
    model: ScriptModel, statement: ImportNode, moves: dict[cst.ImportAlias, tuple[str, str]]
) -> str:
    """An import statement with some names taken from elsewhere: alias -> (new dotted path, name it binds)."""
    assert not isinstance(statement.names, cst.ImportStar)
    parents = {path.rpartition(".")[0] for path, _ in moves.values()}
    if isinstance(statement, cst.ImportFrom) and len(parents) == 1 and "" not in parents:
        (parent,) = parents
        assert statement.module is not None
        if parent == dotted(statement.module) or len(moves) == len(statement.names):
            names = [_moved(alias, *moves[alias]) if alias in moves else alias for alias in statement.names]
            return source(model, statement.with_changes(module=_expression(parent), names=names))
    kept = without(model, statement, frozenset(moves))
    lines = [kept] if kept else []
    if isinstance(statement, cst.Import) or "" in parents:
        return "\n".join(
            [
                *lines,
                *(
                    f"import {path}" + (f" as {name}" if name != path else "")
                    for path, name in moves.values()
                ),
            ]
        )
    for parent in sorted(parents):
        parts = [_part(*move) for move in moves.values() if move[0].rpartition(".")[0] == parent]
        lines.append(f"from {parent} import {', '.join(parts)}")
    return "\n".join(lines)


def _part(path: str, name: str) -> str:
    last = path.rpartition(".")[2]
    return last if last == name else f"{last} as {name}"


def _moved(alias: cst.ImportAlias, path: str, name: str) -> cst.ImportAlias:
    last = path.rpartition(".")[2]
    asname = alias.asname
    if last == name:
        asname = None if alias.asname is None or alias.evaluated_alias != name else alias.asname
    elif asname is None:
        asname = cst.AsName(cst.Name(name))
    return alias.with_changes(name=cst.Name(last), asname=asname)


def _expression(path: str) -> cst.Name | cst.Attribute:
    head, *rest = path.split(".")
    node: cst.Name | cst.Attribute = cst.Name(head)
    for part in rest:
        node = cst.Attribute(node, cst.Name(part))
    return node


def source(model: ScriptModel, node: cst.CSTNode) -> str:
    """The source of a node, possibly a changed one, with plain line ends and no indentation of its block."""
    return model.module.code_for_node(node).replace("\r\n", "\n")
