"""What a detector hands over: where, with which words, and which change of the tree would fix it.

A change is an intent about nodes, not text: `memlint.edit` turns it into byte-exact edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

import libcst as cst

from memlint.analysis.dataflow.execution_order import active_nodes
from memlint.analysis.facts import Event
from memlint.analysis.values import Frame
from memlint.finding import Applicability
from memlint.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Replace:
    """Put `code` in place of an expression, an argument or a simple statement line."""

    node: cst.CSTNode
    code: str


@dataclass(frozen=True, slots=True, eq=False)
class InsertBefore:
    """Put whole lines, written without indentation, before a statement (above its decorators)."""

    statement: cst.CSTNode
    code: str


@dataclass(frozen=True, slots=True, eq=False)
class InsertAfter:
    """Put whole lines, written without indentation, after a statement."""

    statement: cst.CSTNode
    code: str


@dataclass(frozen=True, slots=True, eq=False)
class Remove:
    """Take a statement away; a block left empty gets `pass`."""

    statement: cst.CSTNode


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """Put a line of its own before or after another statement, with the comment at its end.

    The comment right above it goes along where no other line follows below it, or always (`led`).
    """

    statement: cst.CSTNode
    beside: cst.CSTNode
    below: bool = False
    led: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Wrap:
    """Indent consecutive statements of one block under a header such as `with torch.no_grad():`."""

    statements: tuple[cst.BaseStatement, ...]
    header: str


@dataclass(frozen=True, slots=True, eq=False)
class Decorate:
    """Put a decorator line directly above a function's `def`, below its other decorators."""

    function: cst.FunctionDef
    code: str


@dataclass(frozen=True, slots=True, eq=False)
class AddImport:
    """Make sure that an import statement such as `import os` stands at module level."""

    code: str


Change = Replace | InsertBefore | InsertAfter | Remove | Move | Wrap | Decorate | AddImport


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """One way to fix a match; `needs` is the oldest torch that knows what it writes, "" where any does."""

    applicability: Applicability
    title: str
    changes: tuple[Change, ...]
    caution: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A short text at a second place that explains the first."""

    text: str
    node: cst.CSTNode


Cause = tuple[cst.CSTNode, ...]
"""A node, and the calls by which the run comes to it, the innermost first, as far as these matter."""


def causes_of(events: Iterable[Event]) -> tuple[Cause, ...]:
    """The events as causes, each with all calls that led to it."""
    return tuple(dict.fromkeys(tuple(active_nodes(event).values()) for event in events))


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """One hit of a rule.

    `values` fill the placeholders of the rule's texts; `variant` chooses among them; `plans` are in
    the order of preference: the first becomes the finding's fix, the others its alternatives. Where there is
    none, `no_fix` may say why, as the end of a sentence; a plan that cannot be written gives its own reason.
    `giver` is what hands over the function of another file that `node` is in, where no call leads to it;
    `frame` is the activation that the match is about, None where it is about each of them.
    `causes` are the forward passes or calls that it comes from: matches of rules that say so (`effect-of`)
    are one finding where one of them has all causes of the other.
    `holds` are the versions of torch for which it is true, as ">=2.0"; "" where it is for all. `about` are
    other packages with such versions.
    """

    node: cst.CSTNode
    values: Mapping[str, str] = field(default_factory=dict)
    variant: str = "default"
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    plans: tuple[Plan, ...] = ()
    no_fix: str = ""
    giver: cst.CSTNode | None = None
    frame: Frame | None = None
    causes: tuple[Cause, ...] = ()
    holds: str = ""
    about: tuple[tuple[str, str], ...] = ()
