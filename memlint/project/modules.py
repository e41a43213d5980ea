"""Which file and definition an import leads to, within the project; nothing is imported or run.

A dotted path is looked up on disk the way Python would look for it: first beside the importing file, then
in the folders that hold its packages, then in the project's root and its `src`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlint.project import gate
from memlint.project.outline import Outline, digest, read_text

KNOWN = frozenset("torch tensorflow keras numpy apex builtins typing collections functools os sys".split())
"""Packages whose meaning the analyser knows by name, whatever stands beside the script."""

MOST_PARTS = 20
"""How many dots a path may have that is followed from module to module."""

MOST_STARS = 20
"""How many modules a module may import everything from for a name to be looked up in all of them."""

_BEGINNINGS = frozenset({"for", "while", "DataLoader"})
_SKIPPED = frozenset("node_modules site-packages __pycache__ build dist venv".split())
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_DOTTED = re.compile(rb"[\w.]+")


@dataclass(slots=True)
class Dependencies:
    """What an analysis depends on besides its own file: each question about the disk, with its answer.

    Every query of `Modules` takes one and writes down there what its answer rests on.
    """

    located: dict[tuple[str, str], tuple[Path, str] | None] = field(default_factory=dict)
    """The answers of `Modules.locate`, by the importing folder and the dotted path."""

    texts: dict[Path, str] = field(default_factory=dict)
    """A digest of each module that was looked into, "" for one that cannot be read."""

    importers: dict[str, list[Path]] = field(default_factory=dict)
    """The files that import something of a name, by that name."""

    @property
    def is_empty(self) -> bool:
        """Whether the analysis rests on its own file alone."""
        return not (self.located or self.texts or self.importers)

    def update(self, other: Dependencies) -> None:
        """Add what another analysis depends on, whose answers are used."""
        self.located |= other.located
        self.texts |= other.texts
        self.importers |= other.importers

    def as_json(self) -> dict[str, Any]:
        """The questions and answers as JSON values."""
        return {
            "located": [
                [folder, dotted, [str(found[0]), found[1]] if found else None]
                for (folder, dotted), found in self.located.items()
            ],
            "texts": {str(path): digest for path, digest in self.texts.items()},
            "importers": {name: list(map(str, paths)) for name, paths in self.importers.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Dependencies:
        """What `as_json` gave.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: the values are no such thing.
        """
        located = {
            (folder, dotted): (Path(found[0]), found[1]) if found else None
            for folder, dotted, found in data["located"]
        }
        texts = {Path(path): digest for path, digest in data["texts"].items()}
        return cls(located, texts, {name: list(map(Path, p)) for name, p in data["importers"].items()})


@dataclass(frozen=True, slots=True)
class Place:
    """Where an import leads: a name at the top level of a module, and the attributes that follow it."""

    path: Path
    name: str
    rest: str


@dataclass(eq=False, slots=True)
class Modules:
    """The modules below one root folder; what was found out about the disk is kept for the whole run.

    Each query writes into the `log` that it is given what its answer depends on.
    """

    root: Path
    _located: dict[tuple[str, str], tuple[Path, str] | None] = field(default_factory=dict)
    _outlines: dict[Path, Outline | None] = field(default_factory=dict)
    _listings: dict[str, frozenset[str]] = field(default_factory=dict)
    _above: dict[Path, list[str]] = field(default_factory=dict)
    _importers: dict[str, list[Path]] | None = None
    _digests: dict[Path, str] = field(default_factory=dict)
    _resolved: dict[tuple[str, str], tuple[Place | str | None, Dependencies]] = field(default_factory=dict)
    _speaking: dict[tuple[Path, str], tuple[bool, Dependencies]] = field(default_factory=dict)

    # --- from a name to a module ------------------------------------------------------------------

    def locate(self, importer: Path, dotted: str, log: Dependencies) -> tuple[Path, str] | None:
        """The file that a dotted path leads to, seen from a file, and what is left of the path in it.

        None when it leads out of the project: to an installed package, or nowhere.
        """
        key = (os.path.dirname(importer), dotted)
        if key not in self._located:
            self._located[key] = self._locate(importer, dotted)
        log.located[key] = self._located[key]
        return self._located[key]

    def _locate(self, importer: Path, dotted: str) -> tuple[Path, str] | None:
        bare = dotted.lstrip(".")
        parts = bare.split(".") if bare else []
        level = len(dotted) - len(bare)
        if level:
            base = [importer, *importer.parents][min(level, len(importer.parents))]
            if not self._within(base):
                return None
            package = (base / "__init__.py", bare) if "__init__.py" in self._listing(str(base)) else None
            return self._below(str(base), parts) or package
        if not parts or parts[0] in KNOWN:
            return None
        places = (self._below(base, parts) for base in self._bases(importer.parent))
        return next((place for place in places if place is not None), None)

    def _bases(self, folder: Path) -> list[str]:
        """The folders in which Python would look for a top-level module, the likeliest first."""
        if folder not in self._above:
            bases, package = [folder], folder
            while "__init__.py" in self._listing(str(package)) and package != self.root:
                package = package.parent
                bases.append(package)
            # A script may be started from any folder above it, such as one that holds `examples`.
            above = (above for above in folder.parents if self.root in above.parents)
            bases += [self.root, self.root / "src", *above]
            self._above[folder] = [str(base) for base in dict.fromkeys(bases) if self._within(base)]
        return self._above[folder]

    def _listing(self, folder: str) -> frozenset[str]:
        """The names in a folder, none when it is no folder."""
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]

    def _within(self, folder: Path) -> bool:
        return folder == self.root or self.root in folder.parents

    def _below(self, place: str, parts: list[str]) -> tuple[Path, str] | None:
        """The longest prefix of the parts that is a module below a folder of the project."""
        found = None
        for count, part in enumerate(parts, 1):
            rest, names = ".".join(parts[count:]), self._listing(place)
            if f"{part}.py" in names:
                return Path(place, f"{part}.py"), rest
            place = os.path.join(place, part)
            if part not in names:
                break
            if "__init__.py" in self._listing(place):
                found = (Path(place, "__init__.py"), rest)
        return found

    # --- what a module holds --------------------------------------------------------------------------

    def outline(self, path: Path, log: Dependencies) -> Outline | None:
        """What the top level of a module binds; None when it cannot be read."""
        outline = self._outline(path)
        if path not in log.texts:
            log.texts[path] = outline.digest if outline is not None else self._digest(path)
        return outline

    def known(self, path: Path) -> Outline | None:
        """What was found out about a module when another one led there; nothing is read, nothing logged."""
        return self._outlines.get(path)

    def _outline(self, path: Path) -> Outline | None:
        if path not in self._outlines:
            self._outlines[path] = Outline.read(path)
        return self._outlines[path]

    def around(self, path: Path, log: Dependencies) -> frozenset[str]:
        """The vocabulary (see `gate`) of what a module can use of the modules that it imports at its top.

        Empty for a file without a loop, a loader or an entry of its own, or without a word of training: it
        adds nothing to what is found in the others.
        """
        outline = self._outline(path)
        if outline is None or not gate.may_train("\n".join(outline.words)):
            return frozenset()
        if not outline.runs and not outline.words & _BEGINNINGS:
            return frozenset()
        reached = self._reached(path, outline.leads, log)
        # A package's own file mostly passes on what its modules define.
        for package in [p for p in reached if p.name == "__init__.py"]:
            inner = self.outline(package, log)
            if inner is not None:
                relayed = [p for name, paths in inner.imports.items() if name in outline.words for p in paths]
                reached |= self._reached(package, [*relayed, *inner.stars], log)
        found = {place: self._vocabulary(place, outline.words, log) for place in reached - {path}}
        # A function that makes a loader mostly takes its data set from yet another module.
        behind: dict[Path, frozenset[str]] = {}
        for own, words in found.items():
            for place in self._behind(own, words, log):
                behind[place] = behind.get(place, frozenset()) | words
        further = [self._vocabulary(place, words, log) for place, words in behind.items()]
        return frozenset().union(*found.values(), *further)

    def _vocabulary(self, path: Path, words: frozenset[str], log: Dependencies) -> frozenset[str]:
        """The vocabulary of a module as far as words lead into it."""
        outline = self.outline(path, log)
        return outline.reach(words) if outline is not None else frozenset()

    def _behind(self, path: Path, words: frozenset[str], log: Dependencies) -> set[Path]:
        """The modules from which a module has imported some of these words."""
        outline = self.outline(path, log)
        if outline is None:
            return set()
        paths = [p for name in outline.imports.keys() & words for p in outline.imports[name]]
        return self._reached(path, paths, log)

    def _reached(self, path: Path, dotted: Iterable[str], log: Dependencies) -> set[Path]:
        return {place[0] for name in dotted if (place := self.locate(path, name, log)) is not None}

    # --- from a name to its definition ----------------------------------------------------------------

    def resolve(self, importer: Path, dotted: str, log: Dependencies) -> Place | str | None:
        """What an import path leads to, through modules that have imported it themselves.

        A dotted path when that is out of the project, None where it leads nowhere or to a module as such.
        """
        key = (os.path.dirname(importer), dotted)
        if key not in self._resolved:
            # Modules may import everything from one another.
            self._resolved[key] = (None, Dependencies())
            own = Dependencies()
            self._resolved[key] = (self._resolve(importer, dotted, own), own)
        found, behind = self._resolved[key]
        log.update(behind)
        return found

    def _resolve(self, importer: Path, dotted: str, log: Dependencies) -> Place | str | None:
        # A path that grows with each module that passes it on goes round in a circle.
        place = self.locate(importer, dotted, log) if dotted.count(".") <= MOST_PARTS else None
        outline = self.outline(place[0], log) if place is not None and place[1] else None
        if place is None or outline is None:
            return None
        name, dot, rest = place[1].partition(".")
        if name in outline.definitions:
            return Place(place[0], name, rest)
        paths = [f"{target}{dot}{rest}" for target in outline.imports.get(name, ())]
        # More of them is the index of a large package: one name would cost a look into all of its modules.
        stars = outline.stars if len(outline.stars) <= MOST_STARS else ()
        starred = [f"{star}{'' if star.endswith('.') else '.'}{place[1]}" for star in stars]
        for target in (*paths, *starred):
            found = self.resolve(place[0], target, log)
            if found is not None:
                return found
        return paths[0] if len(paths) == 1 and not paths[0].startswith(".") else None

    def speaks_of_training(self, path: Path, name: str, log: Dependencies) -> bool:
        """Whether a definition, or one that it uses, has a word of training (see `gate`)."""
        key = (path, name)
        if key not in self._speaking:
            own = Dependencies()
            self._speaking[key] = (self._speaks(path, name, own), own)
        found, behind = self._speaking[key]
        log.update(behind)
        return found

    def _speaks(self, path: Path, name: str, log: Dependencies) -> bool:
        seen, pending = set[tuple[Path, str]](), [(path, name)]
        while pending:
            place = pending.pop()
            outline = self.outline(place[0], log) if place not in seen else None
            seen.add(place)
            words = outline.vocabularies.get(place[1]) if outline is not None else None
            if outline is None or words is None:
                continue
            targets = [target for word in outline.imports.keys() & words for target in outline.imports[word]]
            if gate.may_train("\n".join([*words, *targets])):
                return True
            pending += [(place[0], word) for word in outline.vocabularies.keys() & words]
            for target in targets:
                pending += self._used(place[0], target, words, log)
        return False

    def _used(
        self, importer: Path, dotted: str, words: frozenset[str], log: Dependencies
    ) -> list[tuple[Path, str]]:
        """The definitions that an import may stand for in code with these words."""
        found = self.resolve(importer, dotted, log)
        if isinstance(found, Place):
            return [(found.path, found.name)]
        module = self.locate(importer, dotted, log)
        outline = self.outline(module[0], log) if module is not None and not module[1] else None
        if module is None or outline is None:
            return []
        return [(module[0], word) for word in outline.vocabularies.keys() & words]

    # --- from a module to those that it imports, and back ---------------------------------------------

    def imported_first(self, paths: Iterable[Path]) -> list[Path]:
        """The paths, each after those of them that it imports, except where they import one another.

        In that order a file is parsed once: when the files that use its definitions come, they are at hand.
        """
        wanted, begun, ordered = set(paths), set[Path](), dict[Path, None]()
        pending, log = [*paths][::-1], Dependencies()
        while pending:
            path = pending[-1]
            if path in begun:
                ordered.setdefault(pending.pop())
                continue
            begun.add(path)
            found = (place for name in _imports(path) if (place := self.locate(path, name, log)) is not None)
            pending += [place[0] for place in found if place[0] in wanted and place[0] not in begun]
        return [*ordered]

    def behind(self, path: Path) -> list[Path]:
        """A file, and all of the project that its import statements lead to, directly or not."""
        found: dict[Path, None] = {path: None}
        pending, log = [path], Dependencies()
        while pending:
            here = pending.pop()
            places = [place[0] for name in _imports(here) if (place := self.locate(here, name, log))]
            pending += [place for place in places if place not in found]
            found |= dict.fromkeys(places)
        return [*found]

    def importers(self, path: Path, words: Iterable[str], log: Dependencies) -> list[Path]:
        """The files of the project that may import a module and that contain one of these words."""
        name = path.parent.name if path.name == "__init__.py" else path.stem
        wanted = set(words)
        others = (other for other in self._importing(name, log) if other != path)
        return [p for p in others if (outline := self.outline(p, log)) is not None and wanted & outline.words]

    def _importing(self, name: str, log: Dependencies) -> list[Path]:
        if self._importers is None:
            self._importers = self._index()
        found = self._importers.get(name, [])
        log.importers[name] = found
        return found

    def _index(self) -> dict[str, list[Path]]:
        index: dict[str, list[Path]] = {}
        for path in sorted(self._files()):
            try:
                data = path.read_bytes()
            except OSError:
                continue
            words = {w for groups in _IMPORT.findall(data) for part in groups for w in _WORD.findall(part)}
            for word in words:
                index.setdefault(word.decode("ascii"), []).append(path)
        return index

    def _files(self) -> Iterator[Path]:
        """The Python files below the root; a folder that cannot be read, or goes meanwhile, has none."""
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if not name.startswith(".") and name not in _SKIPPED]
            yield from (Path(folder, n) for n in names if n.endswith(".py") and not n.startswith("."))

    # --- dependencies of earlier results --------------------------------------------------------------

    def still_hold(self, dependencies: Dependencies) -> bool:
        """Whether the same questions have the same answers now."""
        log, wanted = Dependencies(), dependencies
        return (
            all(self._digest(path) == digest for path, digest in wanted.texts.items())
            and all(
                self.locate(Path(folder, "_.py"), name, log) == found
                for (folder, name), found in wanted.located.items()
            )
            and all(self._importing(name, log) == found for name, found in wanted.importers.items())
        )

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            text = read_text(path)
            self._digests[path] = "" if text is None else digest(text)
        return self._digests[path]

    # --- a text that is not what is on disk -----------------------------------------------------------

    @contextmanager
    def retained(self, path: Path, outline: Outline) -> Iterator[None]:
        """Look at a file as if it had this outline, as long as the context lasts."""
        before, known = self._outlines.get(path), (self._resolved, self._speaking)
        if before is None and outline.text == read_text(path):
            before = outline
        if before is not None and before.text == outline.text:
            self._outlines[path] = before
        else:
            self._outlines[path] = outline
            self._resolved, self._speaking = {}, {}
        try:
            yield
        finally:
            self._outlines[path], (self._resolved, self._speaking) = before, known
            if before is None:
                del self._outlines[path]


def _imports(path: Path) -> list[str]:
    """The dotted paths that the import statements of a file name, wherever they stand, and a few more."""
    try:
        statements = _IMPORT.findall(path.read_bytes())
    except OSError:
        return []
    found: list[bytes] = []
    for module, names, plain in statements:
        dot = b"" if not module or module.endswith(b".") else b"."
        found += [module + dot + name for name in _DOTTED.findall(names if module else plain)] or [module]
    return [name.decode("utf-8", "replace") for name in found]
