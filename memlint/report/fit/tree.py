"""The tree of modules for a terminal: what repeats is one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlint.report.session.modules import Node, nodes
from memlint.session import Branch

DEEPEST = 3
MOST = 24
CONTAINERS = frozenset({"ModuleList", "ModuleDict"})
"""Classes that only hold modules: what is in them is shown in any case."""

LEAST_SHARE = 0.01
"""Of all modules' bytes: a row with less is left out."""

LEAST = 0.001
"""Of the peak: what is beside the rows is told from there on."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its name ("0 to 11"), its class ("Block x 12"), and its bytes.

    `columns` are all bytes, those of parameters with their gradients and optimizer state, and those of
    activations, of the module and those below it.
    """

    depth: int
    name: str
    kind: str
    columns: tuple[int, int, int]


def rows_of(tree: Sequence[Branch], peak: int) -> list[Row]:
    """The rows of a tree as an arm has it; [] where no module holds anything.

    Those without a module above them add up to the `peak`.
    """
    found = nodes([row for row in tree if row.kind])
    whole = sum(node.total for node in found)
    rows = [row for group in _groups(found) for row in _rows(group, 0, DEEPEST, whole)]
    shown = rows[:MOST]
    rest = sum(node.total for node in nodes([row for row in tree if not row.kind]))
    beside = {"in no module": rest, "smaller modules": 0, "temporaries, batches": peak - whole - rest}
    beside["smaller modules"] = whole - sum(row.columns[0] for row in shown if not row.depth)
    others = [(name, left) for name, left in beside.items() if left > LEAST * peak]
    return shown and [*shown, *(Row(0, name, "", (left, 0, 0)) for name, left in others)]


def _rows(group: Sequence[Node], depth: int, levels: int, whole: int) -> Iterator[Row]:
    """The row of a group, and those below it, as many levels as are left."""
    total = sum(node.total for node in group)
    if total < LEAST_SHARE * whole or not total:
        return
    names = [node.branch.path.rpartition(".")[2] or node.branch.path for node in group]
    several = f" x {len(group)}" if len(group) > 1 else ""
    name = f"{names[0]} to {names[-1]}" if several else names[0]
    activations = sum(node.sums["activations"] for node in group)
    kind = group[0].branch.kind
    shown = "" if kind == name else kind + several
    yield Row(depth, name, shown, (total, total - activations, activations))
    levels -= kind not in CONTAINERS
    if levels:
        below: dict[str, list[Node]] = {}
        for node in group:
            for child in node.below:
                below.setdefault(child.branch.path.rpartition(".")[2], []).append(child)
        merged = [_merged(same) for same in below.values()]
        for inner in _groups(merged):
            yield from _rows(inner, depth + 1, levels, whole)


def _merged(same: Sequence[Node]) -> Node:
    """Modules of one name below several that are alike, as one."""
    first = same[0]
    sums = {field: sum(node.sums[field] for node in same) for field in first.sums}
    return Node(first.branch, tuple(child for node in same for child in node.below), sums)


def _groups(found: Sequence[Node]) -> Iterator[list[Node]]:
    """Neighbours of one class whose names are numbers, together; any other module alone."""
    group: list[Node] = []
    for node in found:
        numbered = node.branch.path.rpartition(".")[2].isdecimal()
        if group and numbered and node.branch.kind == group[-1].branch.kind and _is_numbered(group[-1]):
            group.append(node)
            continue
        if group:
            yield group
        group = [node]
    if group:
        yield group


def _is_numbered(node: Node) -> bool:
    return node.branch.path.rpartition(".")[2].isdecimal()
