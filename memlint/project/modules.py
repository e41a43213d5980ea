"""Which definition an import leads to, within the project, and what a module can use of others.

Nothing is imported or run; `locations` says which file a dotted path means.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from memlint.project import gate
from memlint.project.dependencies import Dependencies
from memlint.project.import_statements import files_by_imported_word, files_with_method, imports_of
from memlint.project.locations import Locations
from memlint.project.outline import Outline, digest, read_text
from memlint.records import dataclass

MOST_PARTS = 20
"""How many dots a path may have that is followed from module to module."""

MOST_STARS = 20
"""How many modules a module may import everything from for a name to be looked up in all of them."""

MOST_OUTLINES = 1_000
"""Outlines that are kept, some 6 KiB each: beyond that, one that was not asked for longest is let go."""

_BEGINNINGS = frozenset({"for", "while", "DataLoader"})


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
    _outlines: dict[Path, Outline | None] = field(default_factory=dict)
    _assumed: dict[Path, Outline] = field(default_factory=dict)
    _importers: dict[str, list[Path]] | None = None
    _beside: dict[tuple[str, ...], set[Path]] = field(default_factory=dict)
    _callers: dict[str, list[Path]] = field(default_factory=dict)
    _digests: dict[Path, str] = field(default_factory=dict)
    _resolved: dict[tuple[str, str], tuple[Place | str | None, Dependencies]] = field(default_factory=dict)
    _speaking: dict[tuple[Path, str], tuple[bool, Dependencies]] = field(default_factory=dict)
    _places: Locations = field(init=False)

    def __post_init__(self) -> None:
        self._places = Locations(self.root)

    def locate(self, importer: Path, dotted: str, log: Dependencies) -> tuple[Path, str] | None:
        """The file that a dotted path leads to, seen from a file, and what is left of the path in it.

        None when it leads out of the project: to an installed package, or nowhere.
        """
        return self._places.locate(importer, dotted, log)

    # --- what a module holds --------------------------------------------------------------------------

    def outline(self, path: Path, log: Dependencies) -> Outline | None:
        """What the top level of a module binds; None when it cannot be read."""
        outline = self._outline(path)
        if path not in log.texts:
            log.texts[path] = outline.digest if outline is not None else self._digest(path)
        return outline

    def known(self, path: Path) -> Outline | None:
        """What was found out about a module when another one led there; nothing is read, nothing logged."""
        return self._assumed.get(path) or self._outlines.get(path)

    def _outline(self, path: Path) -> Outline | None:
        if path in self._assumed:
            return self._assumed[path]
        outline = self._outlines[path] if path in self._outlines else Outline.read(path)
        self._keep(path, outline)
        return outline

    def _keep(self, path: Path, outline: Outline | None) -> None:
        """Keep an outline; where there are too many, the one goes that nothing asked for the longest time."""
        self._outlines.pop(path, None)
        if len(self._outlines) >= MOST_OUTLINES:
            del self._outlines[next(iter(self._outlines))]
        self._outlines[path] = outline

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
        passed_on = [target for target in starred if self._leads_to(place[0], target, place[1], log)]
        for target in (*paths, *passed_on):
            found = self.resolve(place[0], target, log)
            if found is not None:
                return found
        return paths[0] if len(paths) == 1 and not paths[0].startswith(".") else None

    def _leads_to(self, importer: Path, dotted: str, rest: str, log: Dependencies) -> bool:
        """Whether a path leads into a file with this rest: of a module that is compiled there is no file, and
        the path would lead to its package, perhaps the importer itself, with a longer one."""
        place = self.locate(importer, dotted, log)
        return place is not None and place[1] == rest

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
            named = imports_of(path)
            found = (place for name in named if (place := self.locate(path, name, log)) is not None)
            pending += [place[0] for place in found if place[0] in wanted and place[0] not in begun]
        return [*ordered]

    def behind(self, path: Path) -> list[Path]:
        """A file, and all of the project that its import statements lead to, directly or not."""
        found: dict[Path, None] = {path: None}
        pending, log = [path], Dependencies()
        while pending:
            here = pending.pop()
            places = [place[0] for name in imports_of(here) if (place := self.locate(here, name, log))]
            pending += [place for place in places if place not in found]
            found |= dict.fromkeys(places)
        return [*found]

    def have_behind(self, path: Path, words: frozenset[str], log: Dependencies) -> bool:
        """Whether a file, or one of those `behind` it, has one of some words.

        Of a large library that may be thousands of files: those whose text has none are not parsed.
        """
        for other in self.behind(path):
            outline = self.outline(other, log) if self._may_name(other, (words,), log) else None
            if outline is not None and not outline.words.isdisjoint(words):
                return True
        return False

    def importers(
        self, path: Path, wanted: Collection[Collection[str]], log: Dependencies, beside: Collection[str] = ()
    ) -> Iterator[Path]:
        """The files of the project that may import a module and that contain a word of each wanted group.

        With `beside`, those alone that import one of these packages. Files are read and parsed one by one, as
        the answer is gone through.
        """
        name = path.parent.name if path.name == "__init__.py" else path.stem
        for other in self._importing(name, tuple(sorted(beside)), log):
            if other == path or not self._may_name(other, wanted, log):
                continue
            outline = self.outline(other, log)
            if outline is not None and gate.passes(wanted, outline.words):
                yield other

    def _importing(self, name: str, beside: tuple[str, ...], log: Dependencies) -> list[Path]:
        """The files with a name in an import, and in another one `beside` it, if any is given."""
        if self._importers is None:
            self._importers = files_by_imported_word(self.root)
        found = self._importers.get(name, [])
        if beside:
            if beside not in self._beside:
                self._beside[beside] = {p for word in beside for p in self._importers.get(word, ())}
            found = [p for p in found if p in self._beside[beside]]
        log.importers[name, beside] = found
        return found

    def _may_name(self, path: Path, wanted: Collection[Collection[str]], log: Dependencies) -> bool:
        """Whether the text of a file has a word of each group, which its outline can have only then."""
        outline = self.known(path)
        text = outline.text if outline is not None else read_text(path)
        if text is not None and all(any(word in text for word in words) for words in wanted):
            return True
        known = outline.digest if outline is not None else self._digests.get(path)
        if known is None:
            known = self._digests[path] = "" if text is None else digest(text)
        log.texts.setdefault(path, known)
        return False

    def with_method(self, name: str, log: Dependencies) -> list[Path]:
        """The files of the project that may define a function of this name, or use it as a method."""
        if name not in self._callers:
            self._callers[name] = files_with_method(self.root, name)
        log.callers[name] = self._callers[name]
        return self._callers[name]

    # --- dependencies of earlier results --------------------------------------------------------------

    def still_hold(self, dependencies: Dependencies) -> bool:
        """Whether the same questions have the same answers now."""
        log, wanted = Dependencies(), dependencies
        return (
            all(self._digest(path) == digest for path, digest in wanted.texts.items())
            and all(
                self._places.seen_from(folder, name) == found
                for (folder, name), found in wanted.located.items()
            )
            and all(self._importing(*asked, log) == found for asked, found in wanted.importers.items())
            and all(self.with_method(name, log) == found for name, found in wanted.callers.items())
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
        on_disk, known = self._outlines.get(path), (self._resolved, self._speaking)
        if outline.text == (on_disk.text if on_disk is not None else read_text(path)):
            outline = on_disk or outline
            self._keep(path, outline)
        else:
            self._resolved, self._speaking = {}, {}
        self._assumed[path] = outline
        try:
            yield
        finally:
            del self._assumed[path]
            self._resolved, self._speaking = known
