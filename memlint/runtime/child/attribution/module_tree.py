"""What belongs to each module of the script at the peak."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from memlint.runtime.child.attribution.analyse import Timeline, kind_of
from memlint.runtime.child.attribution.naming import Names
from memlint.runtime.child.log import NO_MODULE, Module
from memlint.session import Branch

COLUMNS = {
    "parameter": "parameters",
    "gradient": "gradients",
    "optimizer state": "optimizer_state",
    "activation": "activations",
}
"""The field of a Branch for each kind of tensor that has one."""


def tree(line: Timeline) -> tuple[Branch, ...]:
    """A row for each module that holds something and for those above it, in the order of the modules.

    The last row is what belongs to no module. Nothing where the script has called none.
    """
    log = line.log
    if not log.modules:
        return ()
    found: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for index, size in line.at_top.items():
        kind = kind_of(line, index)
        module = log.owners.get(index, log.births[index].module)
        column = COLUMNS.get(kind)
        if column is None and kind == "other" and index in log.owners:
            column = "buffers"
        if column is not None:
            found[module][column] += size
    outside = found.pop(NO_MODULE, defaultdict(int))
    below = _below(log.modules, found)
    names = Names(log)
    rows: list[Branch] = []
    pending = [(module, 0) for module in reversed(below.get(NO_MODULE, []))]
    while pending:
        module, depth = pending.pop()
        rows.append(Branch(names.of(module), log.modules[module].kind, depth, **found[module]))
        pending += [(child, depth + 1) for child in reversed(below.get(module, []))]
    return (*rows, Branch("", "", **outside))


def _below(modules: Sequence[Module], wanted: Iterable[int]) -> dict[int, list[int]]:
    """The children of each module on the way from a root to a wanted one; the roots under NO_MODULE."""
    by_path = {(row.root, row.path): number for number, row in enumerate(modules)}
    below: defaultdict[int, list[int]] = defaultdict(list)
    seen: set[int] = set()
    pending = list(wanted)
    while pending:
        module = pending.pop()
        if module in seen:
            continue
        seen.add(module)
        root, path = modules[module].root, modules[module].path
        above = NO_MODULE
        while path and above == NO_MODULE:
            path = path.rpartition(".")[0]
            above = by_path.get((root, path), NO_MODULE)
        below[above].append(module)
        pending += [above] if above != NO_MODULE else []
    return {module: sorted(children) for module, children in below.items()}
