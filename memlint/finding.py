"""What memlint reports: plain frozen data, no syntax tree, no renderer.

Lines and columns start at 1; columns count code points, and an end column is exclusive (the column
after the last character), as in editors and in the JSON contract.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import StrEnum

from memlint.records import dataclass


class Severity(StrEnum):
    """How sure and how bad: the order is error, warning, advice."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class Applicability(StrEnum):
    """What a fix may do to a program.

    SAFE: every execution that finished before gives the same results to the last bit.
    REPAIR: as safe, because the code could never run (it always raised).
    UNSAFE: may change what the program computes, its random streams or its process layout.
    DISPLAY: shown as a suggestion, never applied.
    """

    SAFE = "safe"
    REPAIR = "repair"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of source text."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text` (an empty span inserts); `cell` is that of a notebook."""

    span: Span
    text: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together: all are applied, or none.

    `title` is an imperative phrase for menus and the help line; `caution` says in one sentence what
    an unsafe fix may change, and is empty for safe fixes.
    """

    applicability: Applicability
    title: str
    edits: tuple[Edit, ...]
    caution: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A secondary text: `why` and `label` carry the span they speak of, `help` says what to do.

    kind: "label" (a short text under a secondary span), "why", "help" or "note". In a notebook `cell` is the
    one that the span counts in.
    """

    kind: str
    text: str
    span: Span | None = None
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What the finding predicts about memory, for a measurement to confirm or refute.

    `type` is one of the claim types of the catalogue (GROWTH, GROWTH-HOST, PEAK, ...); `formula` is
    the predicted effect in words and symbols, with its unit. `check` names the experiment of `memlint replay`
    that answers the claim, "" for the ordinary one of its type; `needs` what the machine must have for it;
    `raises` the exceptions that the line itself is predicted to raise. See `rules/_schema.json`.
    """

    type: str
    formula: str
    check: str = ""
    needs: str = ""
    raises: tuple[str, ...] = ()

    @property
    def fails_later(self) -> bool:
        """Whether it predicts that a later backward() fails."""
        return self.check == "backward-fails"


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a finding, or that its fix is safe, takes for granted: a version of a package such as ">=2.4".

    `version` is that of the project, "" where it is not known, and `origin` where it was read, as
    "requirements.txt:3". `of_fix` says that it is the safety of the fix which depends on it.
    """

    package: str
    needed: str
    version: str = ""
    origin: str = ""
    of_fix: bool = False


LED_TO_BY = " <- "
"""Stands in a cause between a place and that of the call which led there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic at one place of one file.

    `fingerprint` stays when lines move within the file, `content_fingerprint` also when the file is renamed.
    `secondary` are findings that have the same cause, at their own places: what fixes this one fixes them, or
    where that is another file's code, what is changed there.
    `causes` are the places, as "path:line:column", of what it comes from (a forward pass, a call), each with
    those of the calls that led to it behind it. `requires` are versions that it depends on,
    `pack` the path of the rule pack that its rule is from, "" for memlint's own.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    span: Span
    fingerprint: str
    url: str = ""
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    alternatives: tuple[Fix, ...] = ()
    claim: Claim | None = None
    cell: int | None = None
    content_fingerprint: str = ""
    secondary: tuple[Finding, ...] = ()
    causes: tuple[str, ...] = ()
    requires: tuple[Requirement, ...] = ()
    pack: str = ""

    @property
    def breaks_run(self) -> bool:
        """Whether it is an error that ends the program with an exception, at its line or in backward()."""
        claim = self.claim
        fails = claim is not None and bool(claim.raises or (claim.type == "CORRECT" and claim.fails_later))
        return fails and self.severity is Severity.ERROR

    @property
    def is_at_home(self) -> bool:
        """Whether something that it comes from is in its own file: else it is at a call that leads there."""
        path = os.path.abspath(self.path)
        return any(c.partition(LED_TO_BY)[0].rsplit(":", 2)[0] == path for c in self.causes)

    @property
    def sort_key(self) -> tuple[str, int, Span, str, str]:
        """Path, cell, position, code: the order of every report."""
        return (self.path, self.cell or 0, self.span, self.code, self.message)


def each(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, behind each of them those that it is reported for."""
    for finding in findings:
        yield finding
        yield from finding.secondary


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file.

    `skipped` is the reason why the file was not analysed ("" when it was); `failed` says that memlint
    itself could not do its job on it (unreadable, internal error), which makes the exit code 2. A notebook
    has no text of its own, but `cells`: number and source of each. `left_out` counts the findings that
    are not told because the file is a test, `known` those of a baseline.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    skipped: str = ""
    failed: str = ""
    text: str | None = field(default=None, repr=False)
    cells: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    left_out: int = 0
    known: int = 0
