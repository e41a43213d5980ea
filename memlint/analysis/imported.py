"""Definitions of the project's other modules: parsed one by one, when a script's run comes upon them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import field
from pathlib import Path
from typing import Generic, TypeVar

import libcst as cst

from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge.unbound import MODULES, torch_alone
from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules
from memlint.project.outline import Outline
from memlint.records import dataclass
from memlint.syntax.names import Names
from memlint.syntax.parse import tree_of

MOST_TEXT = 400_000
"""Characters of files whose syntax trees are kept at once: about 10,000 lines, 100 MB of nodes."""

MOST_OF_DEFINITIONS = 400_000
"""The same for definitions that were parsed alone, which would not last among whole files. With half as many,
a third of them is parsed again."""

LONGEST = 10_000
"""Characters beyond which a definition is left unread: it costs more than it tells. A network that names no
layer is read all the same: that nothing in it learns tells much."""

SHORT = 1_500
"""Characters up to which functions, classes and settings are always read: a meter speaks of no training."""

K = TypeVar("K")
T = TypeVar("T")

_GRAD_SWITCHES = frozenset(
    "no_grad inference_mode set_grad_enabled enable_grad requires_grad requires_grad_".split()
)


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
class Kept(Generic[K, T]):
    """Trees by a key, as many as have `most` characters of source together; the least recently used go."""

    most: int
    _trees: OrderedDict[K, tuple[int, T]] = field(default_factory=OrderedDict)
    _length: int = 0

    def __contains__(self, key: K) -> bool:
        return key in self._trees

    def get(self, key: K) -> T | None:
        """The tree of a key, None when none is kept; it has been used now."""
        if key not in self._trees:
            return None
        self._trees.move_to_end(key)
        return self._trees[key][1]

    def put(self, key: K, tree: T, length: int) -> None:
        """Keep a tree that stands for so many characters, in place of the one that the key had."""
        self._length += length - self._trees.pop(key, (0, None))[0]
        self._trees[key] = (length, tree)
        while self._length > self.most and len(self._trees) > 1:
            self._length -= self._trees.popitem(last=False)[1][0]


@dataclass(eq=False, slots=True)
class Project:
    """Syntax trees of one project, of single definitions and of whole files, as many as fit.

    Definitions are known by path, name and text, whole files by their path: a file has one text at a time,
    also where an editor changes it again and again.
    """

    modules: Modules
    _files: Kept[Path, Tree] = field(default_factory=lambda: Kept(MOST_TEXT))
    _definitions: Kept[tuple[Path, str, str], Unit | None] = field(
        default_factory=lambda: Kept(MOST_OF_DEFINITIONS)
    )

    def keep(self, path: Path, text: str, module: cst.Module, names: Names) -> None:
        """Keep the tree of a file that was parsed anyway: other files may ask for its definitions."""
        if len(text) <= MOST_TEXT // 2:
            self._files.put(path, Tree(text, module, names), len(text))

    def unit(self, path: Path, name: str, log: Dependencies) -> Unit | None:
        """What defines a name at the top level of a module; what that depends on goes into `log`.

        None when nothing does, when it is very long and no network without layers, and when it speaks of no
        training and is neither a short function or class nor a setting.
        """
        outline = self.modules.outline(path, log)
        text = outline.source(name) if outline is not None else ""
        if outline is None or not text or (len(text) > LONGEST and not _names_no_layer(outline, name)):
            return None
        spared = len(text) <= SHORT and outline.is_plain(name)
        if not spared and not self.modules.speaks_of_training(path, name, log):
            return None
        whole, key = self._files.get(path), (path, name, text)
        if whole is not None and whole.text == outline.text and (statement := whole.binding(name)):
            return Unit(path, 0, whole.text, len(text), whole.module, whole.names, (statement,))
        if key not in self._definitions:
            self._definitions.put(key, _parsed(path, name, text, outline), len(text))
        return self._definitions.get(key)

    def switches_grad(self, path: Path, name: str, log: Dependencies) -> bool:
        """Whether a short definition of a module names what switches gradients, such as `no_grad`."""
        outline = self.modules.outline(path, log)
        words = outline.vocabularies.get(name, frozenset()) if outline is not None else frozenset()
        return outline is not None and bool(words & _GRAD_SWITCHES) and len(outline.source(name)) <= SHORT


def _names_no_layer(outline: Outline, name: str) -> bool:
    """Whether a definition has a forward pass, and no word by which a network gets what learns."""
    words = outline.vocabularies.get(name, frozenset())
    return "forward" in words and not any(map(lib.LEARNS.match, words))


def _parsed(path: Path, name: str, text: str, outline: Outline) -> Unit | None:
    try:
        module, bare = tree_of(text)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    names = Names(module, torch_alone, MODULES, bare)
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
