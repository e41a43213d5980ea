"""Which file of the project an import leads to; nothing is imported or run.

A dotted path is looked up on disk the way Python would look for it: first beside the importing file, then
in the folders that hold its packages, then in the project's root and its `src`.
"""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path

from memlint.project.dependencies import Dependencies
from memlint.records import dataclass

KNOWN = frozenset("torch tensorflow keras numpy apex builtins typing collections functools os sys".split())
"""Packages whose meaning the analyser knows by name, whatever stands beside the script."""


@dataclass(eq=False, slots=True)
class Locations:
    """The folders and files below a root; what was found out about them is kept for the whole run."""

    root: Path
    _located: dict[tuple[str, str], tuple[Path, str] | None] = field(default_factory=dict)
    _listings: dict[str, frozenset[str]] = field(default_factory=dict)
    _above: dict[Path, list[str]] = field(default_factory=dict)

    def locate(self, importer: Path, dotted: str, log: Dependencies) -> tuple[Path, str] | None:
        """The file that a dotted path leads to, seen from a file, and what is left of the path in it.

        None when it leads out of the project: to an installed package, or nowhere. A file of a package's name
        that imports the package, `import tiktoken` in `tiktoken.py`, does not mean itself.
        """
        key = (os.path.dirname(importer), dotted)
        log.located[key] = found = self.seen_from(*key)
        return found if found is None or found[0] != importer or dotted.startswith(".") else None

    def seen_from(self, folder: str, dotted: str) -> tuple[Path, str] | None:
        """As `locate`, for any file of a folder."""
        key = (folder, dotted)
        if key not in self._located:
            self._located[key] = self._locate(Path(folder, "_.py"), dotted)
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
