"""Definitions of the project's other modules: parsed one by one, when a script's run comes upon them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst

from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules
from memlint.project.outline import Outline
from memlint.syntax.names import Names

MOST_TEXT = 600_000
"""Characters of source whose syntax trees are kept at once: about 15,000 lines, 150 MB of nodes."""

LONGEST = 10_000
"""Characters beyond which a definition is left unread: it costs more than it tells."""

SHORT = 1_500
"""Characters up to which functions, classes and settings are always read: a meter speaks of no training."""

_GRAD_SWITCHES = frozenset(["no_grad", "inference_mode", "set_grad_enabled", "enable_grad"])


@dataclass(eq=False, frozen=True, slots=True)
class Unit:
    """One top-level statement of a module: a function, a class or an assignment.

    It stands in a tree of its own, `line` lines below the top of its file, or in that of the whole file;
    `text` is that of the tree, `length` the number of characters of the statement. Names resolve as they do
    in the file.
    """

    path: Path
    line: int
    text: str
    length: int
    module: cst.Module
    names: Names
    body: tuple[cst.BaseStatement | cst.SimpleStatementLine, ...]


@dataclass(eq=False, frozen=True, slots=True)
class Tree:
    """The syntax tree of a whole file, parsed because the file itself was checked."""

    text: str
    module: cst.Module
    names: Names

    def binding(self, name: str) -> cst.BaseStatement | cst.SimpleStatementLine | None:
        """The last statement at the very top that defines a name."""
        return next((s for s in reversed(self.module.body) if _binds(s, name)), None)


@dataclass(eq=False, slots=True)
class Project:
    """Syntax trees of one project, of single definitions and of whole files, as many as fit.

    They are known by path, name ("" for a whole file) and text; the least recently used go.
    """

    modules: Modules
    _trees: OrderedDict[tuple[Path, str, str], Unit | Tree | None] = field(default_factory=OrderedDict)
    _length: int = 0

    def keep(self, path: Path, text: str, module: cst.Module, names: Names) -> None:
        """Keep the tree of a file that was parsed anyway: other files may ask for its definitions."""
        if len(text) <= MOST_TEXT // 2:
            self._put((path, "", text), Tree(text, module, names))

    def unit(self, path: Path, name: str, log: Dependencies) -> Unit | None:
        """What defines a name at the top level of a module; what that depends on goes into `log`.

        None when nothing does, when it is very long, and when it speaks of no training and is neither a
        short function or class nor a setting.
        """
        outline = self.modules.outline(path, log)
        text = outline.source(name) if outline is not None else ""
        if outline is None or not text or len(text) > LONGEST:
            return None
        spared = len(text) <= SHORT and outline.is_plain(name)
        if not spared and not self.modules.speaks_of_training(path, name, log):
            return None
        whole, key = self._trees.get((path, "", outline.text)), (path, name, text)
        statement = whole.binding(name) if isinstance(whole, Tree) else None
        if isinstance(whole, Tree) and statement is not None:
            self._trees.move_to_end((path, "", outline.text))
            return Unit(path, 0, whole.text, len(text), whole.module, whole.names, (statement,))
        if key not in self._trees:
            self._put(key, _parsed(path, name, text, outline))
        self._trees.move_to_end(key)
        found = self._trees[key]
        return found if isinstance(found, Unit) else None

    def switches_grad(self, path: Path, name: str, log: Dependencies) -> bool:
        """Whether a short definition of a module names what switches grad mode, such as `no_grad`."""
        outline = self.modules.outline(path, log)
        words = outline.vocabularies.get(name, frozenset()) if outline is not None else frozenset()
        return outline is not None and bool(words & _GRAD_SWITCHES) and len(outline.source(name)) <= SHORT

    def _put(self, key: tuple[Path, str, str], tree: Unit | Tree | None) -> None:
        if key not in self._trees:
            self._length += len(key[2])
        self._trees[key] = tree
        while self._length > MOST_TEXT and len(self._trees) > 1:
            self._length -= len(self._trees.popitem(last=False)[0][2])


def _parsed(path: Path, name: str, text: str, outline: Outline) -> Unit | None:
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    names = Names(module)
    for bound, paths in outline.imports.items():
        names.module_scope.imports.setdefault(bound, set()).update(paths)
    names.module_scope.stars.update(outline.stars)
    return Unit(path, outline.definitions[name][0] - 1, text, len(text), module, names, tuple(module.body))


def _binds(statement: cst.BaseStatement | cst.SimpleStatementLine, name: str) -> bool:
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return statement.name.value == name
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    targets = [
        target
        for small in statement.body
        if isinstance(small, (cst.Assign, cst.AnnAssign))
        for target in ([t.target for t in small.targets] if isinstance(small, cst.Assign) else [small.target])
    ]
    return any(isinstance(target, cst.Name) and target.value == name for target in targets)
