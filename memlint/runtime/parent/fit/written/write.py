"""Writes changes into the files of a script, where the run has shown that they belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from memlint.runtime.parent.fit.written.accumulation import divide, step_less
from memlint.runtime.parent.fit.written.arguments import argue
from memlint.runtime.parent.fit.written.page import Page, RefusedError
from memlint.runtime.parent.fit.written.parts import in_parts
from memlint.runtime.parent.fit.written.regions import AUTOCAST, OFFLOAD, around
from memlint.runtime.parent.fit.written.scaling import scale
from memlint.session import Batch, Lines

PARTS = "parts"
"""Batches that are computed in parts: what accumulation is where no loop over a loader is seen."""

ARGUMENT = "argument"
"""What the Trainer of transformers takes as an argument."""

SCALED = ("autocast", "float16")
"""The change that takes a GradScaler, too."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A change to be written: `kind` is its name, `word` its dtype or the parts of a batch.

    `regions` go from the first forward pass to backward, and `made` are the lines that make loaders.
    `batches` are the variables with tensors where the region begins, `rows` the size of a batch.
    """

    kind: str
    word: str
    regions: tuple[Lines, ...]
    made: tuple[Lines, ...] = ()
    batches: tuple[Batch, ...] = ()
    rows: int = 0

    @property
    def line(self) -> tuple[str, int]:
        """Where the first region begins: a path and a line."""
        return self.regions[0].file, self.regions[0].first


def write(
    wanted: Sequence[Writing], texts: Mapping[str, str], now: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The changed texts by their paths; `now` are the texts to change, where they differ already.

    Raises:
        RefusedError: one of the changes cannot be written.
    """
    now = {**texts, **(now or {})}
    pages: dict[str, Page] = {}

    def at(lines: Lines) -> tuple[Page, Lines]:
        path = lines.file
        if path not in now:
            raise RefusedError(f"{path} was not read")
        if path not in pages:
            pages[path] = Page.of(now[path])
        first, last = (_moved(line, texts[path], now[path]) for line in (lines.first, lines.last))
        return pages[path], Lines(path, first, last)

    for writing in wanted:
        if (writing.kind, writing.word) == SCALED and len(writing.regions) > 1:
            raise RefusedError("there is more than one backward")
        if not writing.regions:
            raise RefusedError("forward pass and backward do not lie in one function")
        if writing.kind in ("accumulate", PARTS, ARGUMENT) and len(writing.regions) > 1:
            raise RefusedError("there is more than one backward")
        for region in writing.regions:
            page, there = at(region)
            if writing.kind == ARGUMENT:
                argue(page, there.first, writing.word)
            elif writing.kind == "accumulate":
                step_less(page, there, int(writing.word))
            elif writing.kind == PARTS:
                in_parts(page, there, writing.batches, writing.rows, int(writing.word))
            else:
                header = AUTOCAST if writing.kind == "autocast" else OFFLOAD
                around(page, there, header.format(torch=page.torch(), dtype=writing.word))
                if (writing.kind, writing.word) == SCALED:
                    scale(page, there)
        for line in writing.made:
            page, there = at(line)
            divide(page, there, int(writing.word))
    return {path: page.changed() for path, page in pages.items()}


def _moved(line: int, before: str, now: str) -> int:
    """The line in another version of a text; it may not have changed."""
    if before == now:
        return line
    matcher = SequenceMatcher(None, before.split("\n"), now.split("\n"), autojunk=False)
    for old, new, count in matcher.get_matching_blocks():
        if old <= line - 1 < old + count:
            return line - old + new
    raise RefusedError("another change has changed that line")
