"""Definitions of the project's other modules: parsed one by one, when a script's run comes upon them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst

from memlint.analysis.names import Names
from memlint.modules import Modules
from memlint.outline import Outline

MOST_TEXT = 600_000
"""Characters of source whose syntax trees are kept at once: about 15,000 lines, 150 MB of nodes."""

LONGEST = 16_000
"""Characters beyond which a definition is left unread: it costs more than it tells."""

SHORT = 1_500
"""Characters up to which functions and classes are always read: a meter speaks of no training."""


@dataclass(eq=False, frozen=True, slots=True)
class Unit:
    """One top-level statement of a module: a function, a class or an assignment, in a tree of its own.

    `line` is the number of lines above it in its file; names resolve as they do there.
    """

    path: Path
    line: int
    text: str
    module: cst.Module
    names: Names


@dataclass(eq=False, slots=True)
class Project:
    """The units of one project by path, name and text, as many as fit; the least recently used go."""

    modules: Modules
    _units: OrderedDict[tuple[Path, str, str], Unit | None] = field(default_factory=OrderedDict)
    _length: int = 0

    def unit(self, path: Path, name: str) -> Unit | None:
        """What defines a name at the top level of a module.

        None when nothing does, when it is very long, and when it speaks of no training and is neither a
        short function nor a short class.
        """
        outline = self.modules.outline(path)
        text = outline.source(name) if outline is not None else ""
        if outline is None or not text or len(text) > LONGEST:
            return None
        spared = len(text) <= SHORT and outline.is_code(name)
        if not spared and not self.modules.speaks_of_training(path, name):
            return None
        key = (path, name, text)
        if key not in self._units:
            self._units[key] = self._parsed(path, name, text, outline)
            self._length += len(text)
        self._units.move_to_end(key)
        while self._length > MOST_TEXT and len(self._units) > 1:
            self._length -= len(self._units.popitem(last=False)[0][2])
        return self._units[key]

    def _parsed(self, path: Path, name: str, text: str, outline: Outline) -> Unit | None:
        try:
            module = cst.parse_module(text)
        except (cst.ParserSyntaxError, RecursionError):
            return None
        names = Names(module)
        for bound, paths in outline.imports.items():
            names.module_scope.imports.setdefault(bound, set()).update(paths)
        names.module_scope.stars.update(outline.stars)
        return Unit(path, outline.definitions[name][0] - 1, text, module, names)
