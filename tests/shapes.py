"""The same script in other shapes: in a function, as methods of a class, with helpers in another file.

The rewriting keeps the lines of the statements apart but not their numbers, so what is compared is how many
lines a rule speaks of.
"""

from __future__ import annotations

import builtins
import re
import symtable
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import libcst as cst

DEFINES = re.compile(r"^(async def|def|class) ", re.MULTILINE)
ENTRY = "train.py"
HELPER = "helpers.py"


@dataclass(frozen=True, slots=True)
class Parts:
    """The top level of a script: its imports, its functions and classes, and the rest."""

    imports: list[cst.BaseStatement]
    definitions: list[cst.BaseStatement]
    rest: list[cst.BaseStatement]


@lru_cache(1)
def parts(code: str) -> Parts | None:
    """A script taken apart; None where the pieces could not be put together in another way."""
    words = ("global ", "nonlocal ", "__future__", "import *", "locals(", "globals(", "await ", "sys.argv")
    if any(word in code for word in words):
        return None
    module = cst.parse_module(code)
    found = Parts([], [], [])
    for statement in module.body:
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            found.definitions.append(statement)
        elif _is_import(statement):
            found.imports.append(statement)
        elif (
            isinstance(statement, cst.If)
            and "__name__" in cst.Module([statement.with_changes(orelse=None)]).code
        ):
            return None
        else:
            found.rest.append(statement)
    return found


def _is_import(statement: cst.BaseStatement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Import, cst.ImportFrom)) for small in statement.body
    )


def _code(statements: list[cst.BaseStatement]) -> str:
    return cst.Module(statements).code


def in_function(code: str) -> dict[str, str] | None:
    """Everything but the imports in a function that is called at the end."""
    taken = parts(code)
    if taken is None or not taken.rest:
        return None
    body = textwrap.indent(_code([*taken.definitions, *taken.rest]).strip("\n"), "    ")
    return {ENTRY: f"{_code(taken.imports)}\n\ndef main():\n{body}\n\n\nmain()\n"}


def in_methods(code: str) -> dict[str, str] | None:
    """What the top level sets up as attributes, what it does as a method of a class."""
    taken = parts(code)
    if taken is None or not taken.rest or taken.definitions:
        return None
    names = {name for statement in taken.rest for name in _bound(statement)} - set(dir(builtins))
    moved = cst.Module(taken.rest).visit(_ToAttributes(names))
    setup = [s for s in moved.body if isinstance(s, cst.SimpleStatementLine)]
    work = moved.body[_first_compound(moved.body) :]
    setup = list(moved.body[: _first_compound(moved.body)])
    if not setup or not work:
        return None
    init = textwrap.indent(_code(setup).strip("\n"), " " * 8)
    run = textwrap.indent(_code(list(work)).strip("\n"), " " * 8)
    text = (
        f"class Trainer:\n    def __init__(self):\n{init}\n\n    def fit(self):\n{run}\n\n\nTrainer().fit()\n"
    )
    return {ENTRY: f"{_code(taken.imports)}\n\n{text}"}


def _first_compound(body: list[cst.BaseStatement] | tuple[cst.BaseStatement, ...]) -> int:
    return next((i for i, s in enumerate(body) if not isinstance(s, cst.SimpleStatementLine)), len(body))


def _bound(statement: cst.BaseStatement) -> Iterator[str]:
    """The names that a simple statement assigns."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return
    for small in statement.body:
        for target in small.targets if isinstance(small, cst.Assign) else ():
            elements = target.target.elements if isinstance(target.target, cst.Tuple) else [target.target]
            for element in elements:
                node = element.value if isinstance(element, cst.Element) else element
                if isinstance(node, cst.Name):
                    yield node.value


class _ToAttributes(cst.CSTTransformer):
    """`model` becomes `self.model`, but not as an attribute, a keyword or in a function of its own names."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names

    def visit_Attribute_attr(self, node: cst.Attribute) -> None:  # noqa: N802
        self.names, self._kept = set(), self.names

    def leave_Attribute_attr(self, node: cst.Attribute) -> None:  # noqa: N802
        self.names = self._kept

    def visit_Arg_keyword(self, node: cst.Arg) -> None:  # noqa: N802
        self.names, self._kept = set(), self.names

    def leave_Arg_keyword(self, node: cst.Arg) -> None:  # noqa: N802
        self.names = self._kept

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802
        if updated_node.value not in self.names:
            return updated_node
        name = cst.Name(updated_node.value)
        return cst.Attribute(cst.Name("self"), name, lpar=updated_node.lpar, rpar=updated_node.rpar)


def in_two_files(code: str) -> dict[str, str] | None:
    """The functions and classes in a module of their own, the rest imports them."""
    if not DEFINES.search(code):
        return None
    taken = parts(code)
    if taken is None or not taken.definitions or not taken.rest:
        return None
    own = {name for statement in taken.rest for name in _names(statement)}
    if own & _globals(symtable.symtable(_code(taken.definitions), HELPER, "exec")):
        return None
    names = [s.name.value for s in taken.definitions if isinstance(s, (cst.FunctionDef, cst.ClassDef))]
    imports = _code(taken.imports)
    entry = f"{imports}\nfrom helpers import {', '.join(names)}\n\n{_code(taken.rest).lstrip()}"
    return {ENTRY: entry, HELPER: f"{imports}\n\n{_code(taken.definitions)}"}


def _names(node: cst.CSTNode) -> set[str]:
    """The names that a statement binds, in nested blocks too."""
    if isinstance(node, cst.AssignTarget | cst.For | cst.AsName | cst.AnnAssign | cst.AugAssign):
        target = node.name if isinstance(node, cst.AsName) else node.target
        found = _all_names(target)
    else:
        found = set()
    return found.union(*(_names(child) for child in node.children))


def _all_names(node: cst.CSTNode) -> set[str]:
    own = {node.value} if isinstance(node, cst.Name) else set()
    return own.union(*(_all_names(child) for child in node.children))


def _globals(table: symtable.SymbolTable) -> set[str]:
    """The names that functions read from the module."""
    own = {s.get_name() for s in table.get_symbols() if s.is_global()}
    return own.union(*(_globals(child) for child in table.get_children()))


SHAPES = {"function": in_function, "methods": in_methods, "two files": in_two_files}
