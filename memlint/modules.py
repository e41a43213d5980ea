"""Which file an import leads to, as far as it is one of the project's own; nothing is imported or run.

A dotted path is looked up on disk the way Python would look for it: first beside the importing file, then
in the folders that hold its packages, then in the project's root and its `src`.
"""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlint import gate
from memlint.errors import SourceError
from memlint.source import Source, line_starts

KNOWN = frozenset("torch tensorflow keras numpy apex builtins typing collections functools os sys".split())
"""Packages whose meaning the analyser knows by name, whatever stands beside the script."""

_SKIPPED = frozenset("node_modules site-packages __pycache__ build dist venv".split())
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(eq=False, slots=True)
class Outline:
    """What the top level of a module binds.

    `definitions` gives the first and last line (from 1, decorators included) of the statement that binds a
    name, `imports` the dotted paths that imports give it; `words` is the vocabulary of the whole module.
    """

    text: str
    words: frozenset[str]
    definitions: dict[str, tuple[int, int]] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)

    def source(self, name: str) -> str:
        """The text of the statement that defines a name, its indentation taken off; "" when none does."""
        if name not in self.definitions:
            return ""
        first, last = self.definitions[name]
        if not self._starts:
            self._starts += [*line_starts(self.text), len(self.text)]
        return textwrap.dedent(self.text[self._starts[first - 1] : self._starts[last]])


@dataclass(slots=True)
class Asked:
    """What a check has asked about the disk, with the answers: all that its report rests on besides its file.

    `located` has the answers of `Modules.locate` by folder and dotted path, `texts` a digest of each module
    that was looked into, `importers` the files that import something of a name.
    """

    located: dict[tuple[Path, str], tuple[Path, str] | None] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)
    importers: dict[str, list[Path]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked."""
        return not (self.located or self.texts or self.importers)

    def update(self, other: Asked) -> None:
        """Take over what another check has asked."""
        self.located |= other.located
        self.texts |= other.texts
        self.importers |= other.importers

    def as_json(self) -> dict[str, Any]:
        """The questions and answers as JSON values."""
        return {
            "located": [
                [str(folder), dotted, [str(found[0]), found[1]] if found else None]
                for (folder, dotted), found in self.located.items()
            ],
            "texts": {str(path): digest for path, digest in self.texts.items()},
            "importers": {name: list(map(str, paths)) for name, paths in self.importers.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Asked:
        """What `as_json` gave.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: the values are no such thing.
        """
        located = {
            (Path(folder), dotted): (Path(found[0]), found[1]) if found else None
            for folder, dotted, found in data["located"]
        }
        texts = {Path(path): digest for path, digest in data["texts"].items()}
        return cls(located, texts, {name: list(map(Path, p)) for name, p in data["importers"].items()})


@dataclass(eq=False, slots=True)
class Modules:
    """The modules below one root folder; what was found out about the disk is kept for the whole run."""

    root: Path
    _located: dict[tuple[Path, str], tuple[Path, str] | None] = field(default_factory=dict)
    _outlines: dict[Path, Outline | None] = field(default_factory=dict)
    _holds: dict[Path, bool] = field(default_factory=dict)
    _importers: dict[str, list[Path]] | None = None
    _digests: dict[Path, str] = field(default_factory=dict)
    _asked: Asked | None = None

    # --- from a name to a module ------------------------------------------------------------------

    def locate(self, importer: Path, dotted: str) -> tuple[Path, str] | None:
        """The file that a dotted path leads to, seen from a file, and what is left of the path in it.

        None when it leads out of the project: to an installed package, or nowhere.
        """
        key = (importer.parent, dotted)
        if key not in self._located:
            self._located[key] = self._locate(importer, dotted)
        if self._asked is not None:
            self._asked.located[key] = self._located[key]
        return self._located[key]

    def _locate(self, importer: Path, dotted: str) -> tuple[Path, str] | None:
        bare = dotted.lstrip(".")
        parts = bare.split(".") if bare else []
        level = len(dotted) - len(bare)
        if level:
            base = [importer, *importer.parents][min(level, len(importer.parents))]
            found, package = self._below(base, parts), base / "__init__.py"
            return found or ((package, bare) if self._within(base) and package.is_file() else None)
        if not parts or parts[0] in KNOWN:
            return None
        for base in self._bases(importer):
            found = self._below(base, parts) if self._has(base, parts[0]) else None
            if found is not None:
                return found
        return None

    def _bases(self, importer: Path) -> Iterator[Path]:
        """The folders in which Python would look for a top-level module, the likeliest first."""
        folder = importer.parent
        yield folder
        while (folder / "__init__.py").is_file() and folder != self.root:
            folder = folder.parent
            yield folder
        yield self.root
        yield self.root / "src"
        # A script may be started from any folder above it, such as one that holds `examples`.
        yield from (above for above in importer.parents if self.root in above.parents)

    def _has(self, base: Path, name: str) -> bool:
        place = base / name
        if place not in self._holds:
            self._holds[place] = place.is_dir() or place.with_name(f"{name}.py").is_file()
        return self._holds[place]

    def _within(self, folder: Path) -> bool:
        return folder == self.root or self.root in folder.parents

    def _below(self, base: Path, parts: list[str]) -> tuple[Path, str] | None:
        """The longest prefix of the parts that is a module below a folder of the project."""
        if not self._within(base):
            return None
        place, found = base, None
        for count, part in enumerate(parts, 1):
            rest = ".".join(parts[count:])
            module = place / f"{part}.py"
            place = place / part
            if module.is_file():
                return module, rest
            if (place / "__init__.py").is_file():
                found = (place / "__init__.py", rest)
            elif not place.is_dir():
                break
        return found

    # --- what a module holds --------------------------------------------------------------------------

    def outline(self, path: Path) -> Outline | None:
        """What the top level of a module binds; None when it cannot be read."""
        if path not in self._outlines:
            self._outlines[path] = _outline(path)
        outline = self._outlines[path]
        if self._asked is not None and path not in self._asked.texts:
            self._asked.texts[path] = self._digest(path) if outline is None else _digest(outline.text)
        return outline

    def around(self, path: Path, tree: ast.Module) -> frozenset[str]:
        """The vocabulary (see `gate`) of the modules of the project that a module imports at its top."""
        reached = self._reached(path, gate.imports(tree))
        # A package's own file mostly passes on what its modules define.
        for package in [p for p in reached if p.name == "__init__.py"]:
            inner = self.outline(package)
            if inner is not None:
                relayed = [name for paths in inner.imports.values() for name in paths]
                reached |= self._reached(package, [*relayed, *inner.stars])
        outlines = map(self.outline, reached - {path})
        return frozenset().union(*(outline.words for outline in outlines if outline is not None))

    def _reached(self, path: Path, dotted: Iterable[str]) -> set[Path]:
        return {place[0] for name in dotted if (place := self.locate(path, name)) is not None}

    # --- from a module to those that import it --------------------------------------------------------

    def importers(self, path: Path, words: Iterable[str]) -> list[Path]:
        """The files of the project that may import a module and that contain one of these words."""
        name = path.parent.name if path.name == "__init__.py" else path.stem
        wanted = set(words)
        others = (other for other in self._importing(name) if other != path)
        return [p for p in others if (outline := self.outline(p)) is not None and wanted & outline.words]

    def _importing(self, name: str) -> list[Path]:
        if self._importers is None:
            self._importers = self._index()
        found = self._importers.get(name, [])
        if self._asked is not None:
            self._asked.importers[name] = found
        return found

    def _index(self) -> dict[str, list[Path]]:
        index: dict[str, list[Path]] = {}
        for path in sorted(self.root.rglob("*.py")):
            if any(part.startswith(".") or part in _SKIPPED for part in path.relative_to(self.root).parts):
                continue
            try:
                data = path.read_bytes()
            except OSError:
                continue
            words = {w for groups in _IMPORT.findall(data) for part in groups for w in _WORD.findall(part)}
            for word in words:
                index.setdefault(word.decode("ascii"), []).append(path)
        return index

    # --- what was asked -------------------------------------------------------------------------------

    @contextmanager
    def noting(self, asked: Asked) -> Iterator[None]:
        """Note what is asked as long as the context lasts; whoever asked for that has asked it too."""
        before, self._asked = self._asked, asked
        try:
            yield
        finally:
            self._asked = before
            if before is not None:
                before.update(asked)

    def still_say(self, asked: Asked) -> bool:
        """Whether the same questions have the same answers now."""
        return (
            all(self._digest(path) == digest for path, digest in asked.texts.items())
            and all(self.locate(key[0] / "_.py", key[1]) == found for key, found in asked.located.items())
            and all(self._importing(name) == found for name, found in asked.importers.items())
        )

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            text = _text(path)
            self._digests[path] = "" if text is None else _digest(text)
        return self._digests[path]

    # --- a text that is not what is on disk -----------------------------------------------------------

    @contextmanager
    def holding(self, path: Path, text: str, tree: ast.Module, words: frozenset[str]) -> Iterator[None]:
        """Look at a file as if it had this text, as long as the context lasts."""
        before = self._outlines.get(path)
        if before is None and text == _text(path):
            before = self._outlines[path] = _noted(text, tree, words)
        if before is None or before.text != text:
            self._outlines[path] = _noted(text, tree, words)
        try:
            yield
        finally:
            self._outlines[path] = before
            if before is None:
                del self._outlines[path]


def _outline(path: Path) -> Outline | None:
    try:
        text = _text(path)
        if text is None:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _noted(text, tree, gate.vocabulary(tree))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text(path: Path) -> str | None:
    try:
        return Source.decode(str(path), path.read_bytes()).text
    except (OSError, SourceError):
        return None


def _noted(text: str, tree: ast.Module, words: frozenset[str]) -> Outline:
    found = Outline(text, words)
    _note(tree.body, found)
    return found


def _note(body: Iterable[ast.stmt], found: Outline) -> None:
    """Note what statements bind, those under conditions too; of two definitions the later one counts."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.definitions[node.name] = (first, node.end_lineno or node.lineno)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)):
                found.definitions[name] = (node.lineno, node.end_lineno or node.lineno)
        elif isinstance(node, ast.ImportFrom) and [a.name for a in node.names] == ["*"]:
            found.stars.append("." * node.level + (node.module or ""))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for bound, dotted in gate.bound(node):
                found.imports.setdefault(bound, []).append(dotted)
        elif isinstance(node, ast.If) and not _is_main_guard(node):
            _note([*node.orelse, *node.body], found)
        elif isinstance(node, ast.Try):
            _note([statement for handler in node.handlers for statement in handler.body], found)
            _note(node.body, found)


def _is_main_guard(node: ast.If) -> bool:
    left = node.test.left if isinstance(node.test, ast.Compare) else node.test
    return isinstance(left, ast.Name) and left.id == "__name__"
