"""A script with something changed, to be simulated in place of it; the user's file stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from memlint.runtime.parent.arms import Request


@dataclass(frozen=True, slots=True)
class Change:
    """One changed program: `overlay` holds (path, text) of edited files, by their absolute paths.

    `arguments` are the script's whole sys.argv where that changes, () where it does not. `runtime` names what
    is changed while it runs (see memlint.runtime.child.changes). Steps of the script follow `parts` batches
    of it.
    """

    name: str
    title: str
    overlay: tuple[tuple[str, str], ...] = ()
    arguments: tuple[str, ...] = ()
    runtime: tuple[str, ...] = ()
    parts: int = 1

    @property
    def request(self) -> Request:
        """The run of it."""
        return Request(
            self.name, self.title, overlay=self.overlay, arguments=self.arguments, changes=self.runtime
        )
