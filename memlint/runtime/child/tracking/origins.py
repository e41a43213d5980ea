"""Remembers which line of the forward pass made each autograd node, by the node's number."""

from __future__ import annotations

from typing import Any

from memlint.runtime.child.log import NO_MODULE, NO_SITE
from memlint.runtime.child.private import next_sequence_number, sequence_number

Origin = tuple[int, int, int]
"""The site of the project's line, the module whose forward ran, and the site of the library's line."""

_UNKNOWN: Origin = (NO_SITE, NO_MODULE, NO_SITE)


class Origins:
    """What is known of the nodes that were made since. One number for each node: there may be millions."""

    def __init__(self) -> None:
        self._origins: list[Origin] = []
        self._known: dict[Origin, int] = {}
        self._of_nodes: dict[int, int] = {}
        self._newest = next_sequence_number() - 1

    def is_behind(self) -> bool:
        """Whether a node was made since the last look."""
        return next_sequence_number() - 1 != self._newest

    def note(self, site: int, module: int, library: int) -> None:
        """The newest node comes from there, if it was made since the last look."""
        newest = next_sequence_number() - 1
        if newest != self._newest:
            self._newest = newest
            origin = (site, module, library)
            known = self._known.get(origin)
            if known is None:
                known = self._known[origin] = len(self._origins)
                self._origins.append(origin)
            self._of_nodes[newest] = known

    def is_newest(self, site: int) -> bool:
        """Whether the newest node was made at a site."""
        known = self._of_nodes.get(self._newest)
        return known is not None and self._origins[known][0] == site

    def of(self, node: Any) -> Origin:
        """Where a node comes from, as far as that is known."""
        known = self._of_nodes.get(sequence_number(node))
        return self._origins[known] if known is not None else _UNKNOWN

    def line_of(self, number: int) -> int:
        """The site of the line that made a node, by its number; NO_SITE where not known."""
        known = self._of_nodes.get(number)
        return self._origins[known][0] if known is not None else NO_SITE
