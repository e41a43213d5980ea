"""The tree of a script's modules on the page: what belongs to each at the peak, those below it included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from memlint.report.session.figures import meter, section
from memlint.session import KINDS, Branch, Session
from memlint.units import size

COLUMNS = (
    ("parameters", "parameter"),
    ("gradients", "gradient"),
    ("optimizer_state", "optimizer state"),
    ("activations", "activation"),
    ("buffers", "other"),
)
"""Fields of a branch, and the kind whose colour they have on the page."""

OPEN = 2
"""Levels of the tree that are unfolded at first."""


@dataclass(frozen=True, slots=True)
class Node:
    """A module with those below it; `sums` are the bytes of all of them, by the fields of a branch."""

    branch: Branch
    below: tuple[Node, ...]
    sums: dict[str, int]

    @property
    def total(self) -> int:
        """All its bytes."""
        return sum(self.sums.values())


def modules(session: Session) -> str:
    """The section of the page; "" where no module held anything."""
    rows = session.original.tree
    named = [row for row in rows if row.kind]
    if not named:
        return ""
    others = [Node(row, (), _own(row)) for row in rows if not row.kind]
    found = [*nodes(named), *(node for node in others if node.total)]
    most = max((node.total for node in found), default=0)
    legend = "".join(
        f'<li><i class="k{KINDS.index(kind)}"></i>{field.replace("_", " ")}</li>' for field, kind in COLUMNS
    )
    body = f'<ul class="tree">{"".join(_item(node, most) for node in found)}</ul>'
    body += f'<ul class="legend">{legend}</ul>'
    return section("Modules", body, "at the peak, with the modules below")


def nodes(rows: Sequence[Branch]) -> tuple[Node, ...]:
    """The trees that rows in order, each with its depth, stand for."""
    found: list[Node] = []
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and rows[end].depth > rows[at].depth:
            end += 1
        below = nodes(rows[at + 1 : end])
        own = _own(rows[at])
        sums = {field: own[field] + sum(node.sums[field] for node in below) for field in own}
        found.append(Node(rows[at], below, sums))
        at = end
    return tuple(found)


def _own(row: Branch) -> dict[str, int]:
    return {field: getattr(row, field) for field, _ in COLUMNS}


def _item(node: Node, most: int) -> str:
    if not node.below:
        return f"<li>{_row(node, most)}</li>"
    inner = "".join(_item(child, most) for child in node.below)
    unfolded = " open" if node.branch.depth < OPEN else ""
    return f"<li><details{unfolded}><summary>{_row(node, most)}</summary><ul>{inner}</ul></details></li>"


def _row(node: Node, most: int) -> str:
    parts = [(f"k{KINDS.index(kind)}", node.sums[field]) for field, kind in COLUMNS]
    said = ", ".join(f"{field.replace('_', ' ')} {size(n)}" for field, n in node.sums.items() if n)
    name = node.branch.path.rpartition(".")[2] if node.branch.kind else "in no module"
    return (
        f'<span title="{escape(said)}"><b>{size(node.total)}</b> {meter(parts, most)} '
        f"<code>{escape(name)}</code> <small>{escape(node.branch.kind)}</small></span>"
    )
