"""What an analysis depends on besides its own file, as questions about the disk with their answers."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any

from memlint.records import dataclass


@dataclass(slots=True)
class Dependencies:
    """What an analysis depends on besides its own file: each question about the disk, with its answer.

    Every query of `Modules` takes one and writes down there what its answer rests on.
    """

    located: dict[tuple[str, str], tuple[Path, str] | None] = field(default_factory=dict)
    """The answers of `Modules.locate`, by the importing folder and the dotted path."""

    texts: dict[Path, str] = field(default_factory=dict)
    """A digest of each module that was looked into, "" for one that cannot be read."""

    importers: dict[tuple[str, tuple[str, ...]], list[Path]] = field(default_factory=dict)
    """The files that import something of a name, by it and those of which they import one beside it."""

    callers: dict[str, list[Path]] = field(default_factory=dict)
    """The files that define or use a method of a name, by that name."""

    @property
    def is_empty(self) -> bool:
        """Whether the analysis rests on its own file alone."""
        return not (self.located or self.texts or self.importers or self.callers)

    def update(self, other: Dependencies) -> None:
        """Add what another analysis depends on, whose answers are used."""
        self.located |= other.located
        self.texts |= other.texts
        self.importers |= other.importers
        self.callers |= other.callers

    def as_json(self) -> dict[str, Any]:
        """The questions and answers as JSON values."""
        return {
            "located": [
                [folder, dotted, [str(found[0]), found[1]] if found else None]
                for (folder, dotted), found in self.located.items()
            ],
            "texts": {str(path): digest for path, digest in self.texts.items()},
            "importers": [
                [name, list(beside), list(map(str, paths))]
                for (name, beside), paths in self.importers.items()
            ],
            "callers": {name: list(map(str, paths)) for name, paths in self.callers.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Dependencies:
        """What `as_json` gave.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: the values are no such thing.
        """
        located = {
            (folder, dotted): (_path(found[0]), found[1]) if found else None
            for folder, dotted, found in data["located"]
        }
        texts = {_path(path): digest for path, digest in data["texts"].items()}
        importers = {(name, tuple(beside)): list(map(_path, p)) for name, beside, p in data["importers"]}
        callers = {name: list(map(_path, p)) for name, p in data["callers"].items()}
        return cls(located, texts, importers, callers)


@lru_cache(1 << 14)
def _path(text: str) -> Path:
    """One object for each: the files of a project rest on the same ones."""
    return Path(text)
