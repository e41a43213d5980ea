"""What the top level of a module binds, and which words its definitions use; nothing is run."""

from __future__ import annotations

import ast
import hashlib
import textwrap
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from memlint.errors import SourceError
from memlint.project import gate
from memlint.records import dataclass
from memlint.source.parsing import parsed
from memlint.source.text import Source, line_starts


@dataclass(eq=False, slots=True)
class Outline:
    """What the top level of a module binds.

    `definitions` gives the first and last line (from 1, decorators included) of the statement that binds a
    name, `imports` the dotted paths that imports give it, `stars` the modules of which everything is
    imported. `words` is the vocabulary (see `gate`) of the whole module, `vocabularies` that of each
    definition. `runs` says whether it does more than bind names. `leads` are the dotted paths of all imports
    at the top.
    """

    text: str
    words: frozenset[str] = frozenset()
    runs: bool = False
    leads: tuple[str, ...] = ()
    definitions: dict[str, tuple[int, int]] = field(default_factory=dict)
    vocabularies: dict[str, frozenset[str]] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    _plain: set[str] = field(default_factory=set)
    _starts: list[int] = field(default_factory=list)
    _sources: dict[str, str] = field(default_factory=dict)
    _digest: str = ""

    @classmethod
    def of(cls, text: str, tree: ast.Module) -> Outline:
        """The outline of a parsed module."""
        found = cls(text, runs=gate.runs(tree), leads=tuple(gate.imports(tree)))
        vocabularies = [_note(statement, found) for statement in tree.body]
        found.words = frozenset().union(*vocabularies)
        return found

    @classmethod
    def read(cls, path: Path) -> Outline | None:
        """The outline of a file; None when it cannot be read or is not Python."""
        try:
            text = read_text(path)
            if text is None:
                return None
            return cls.of(text, parsed(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @property
    def digest(self) -> str:
        """What stands for the text."""
        self._digest = self._digest or digest(self.text)
        return self._digest

    def is_plain(self, name: str) -> bool:
        """Whether a name is defined as a function or class, or set once to a number or text."""
        return name in self._plain and name not in self.imports

    def source(self, name: str) -> str:
        """The text of the statement that defines a name, its indentation taken off; "" when none does."""
        if name not in self.definitions:
            return ""
        first, last = self.definitions[name]
        if name not in self._sources:
            if not self._starts:
                self._starts += [*line_starts(self.text), len(self.text)]
            self._sources[name] = textwrap.dedent(self.text[self._starts[first - 1] : self._starts[last]])
        return self._sources[name]

    def reach(self, words: frozenset[str]) -> frozenset[str]:
        """The vocabulary of the definitions that words lead to, directly and through one another."""
        known, found, taken = self.vocabularies.keys(), set[str](), set[str]()
        pending = known & words
        while pending:
            taken |= pending
            found.update(*(self.vocabularies[name] for name in pending))
            pending = (known & found) - taken
        for name in self.imports.keys() & (found | words):
            found.update(part for dotted in self.imports[name] for part in dotted.split("."))
        return frozenset(found)


def read_text(path: Path) -> str | None:
    """The text of a file, None when there is none that can be decoded: a pipe would wait for its writer."""
    try:
        return Source.decode(str(path), path.read_bytes()).text if path.is_file() else None
    except (OSError, SourceError):
        return None


def digest(text: str) -> str:
    """What stands for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _note(node: ast.stmt, found: Outline) -> frozenset[str]:
    """Note what a statement binds, be it under a condition; of two definitions the later one counts.

    Returns the vocabulary of the statement.
    """
    words = gate.vocabulary(node)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        found.definitions[node.name] = (first, node.end_lineno or node.lineno)
        found.vocabularies[node.name] = words
        found._plain.add(node.name)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        computed = any(isinstance(n, ast.Call) or _is_switch(n) for n in ast.walk(node))
        for name in (name for target in targets for name in _names(target)):
            (found._plain.discard if name in found.definitions or computed else found._plain.add)(name)
            found.definitions[name] = (node.lineno, node.end_lineno or node.lineno)
            found.vocabularies[name] = words
    elif isinstance(node, ast.ImportFrom) and [a.name for a in node.names] == ["*"]:
        found.stars.append("." * node.level + (node.module or ""))
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for bound, dotted in gate.bound(node):
            found.imports.setdefault(bound, []).append(dotted)
    elif isinstance(node, ast.If) and not _is_main_guard(node):
        for statement in (*node.orelse, *node.body):
            _note(statement, found)
    elif isinstance(node, ast.Try):
        for statement in (*(s for handler in node.handlers for s in handler.body), *node.body):
            _note(statement, found)
    return words


def _is_switch(node: ast.AST) -> bool:
    """Whether a node is True or False: what they switch on and off is to be looked at all the same."""
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _names(target: ast.expr) -> Iterator[str]:
    """The names that an assignment binds; `a.b = ...` and `a[i] = ...` bind none."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for inner in target.elts:
            yield from _names(inner)
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)


def _is_main_guard(node: ast.stmt) -> bool:
    if not isinstance(node, ast.If):
        return False
    left = node.test.left if isinstance(node.test, ast.Compare) else node.test
    return isinstance(left, ast.Name) and left.id == "__name__"
