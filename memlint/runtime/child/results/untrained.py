"""What the graph of a line costs that no step uses: what it saves, and what backward makes of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator

from memlint.runtime.child.attribution.analyse import Timeline, kind_of, place
from memlint.runtime.child.log import NO_MODULE, NO_SITE
from memlint.runtime.child.results.needless import peak_without
from memlint.session import OF_LINE, Needless

MOST_LINES = 16
"""Lines that are looked at: those that have made most of the peak."""


def answers(
    line: Timeline, name: Callable[[str], str], needed: Collection[int], named: Collection[int]
) -> tuple[Needless, ...]:
    """A row for each line of the project whose graph was not needed: how much lower the peak would be.

    `needed` are the storages that were saved for parameters which the steps train, `named` those that names
    of the script hold while a backward() runs: both are there without the graph as well.
    """
    births = line.log.births

    def root(module: int) -> int:
        return line.log.modules[module].root if module != NO_MODULE else NO_MODULE

    made: defaultdict[int, list[int]] = defaultdict(list)
    modules: defaultdict[int, set[int]] = defaultdict(set)
    trained: set[tuple[int, int]] = set()
    with_trained = {line.log.owners.get(index, NO_MODULE) for index in line.log.trained} - {NO_MODULE}
    bytes_of: Counter[int] = Counter()
    for index in line.born:
        birth = births[index]
        site = birth.forward if birth.phase == "backward" else birth.site
        made[site].append(index)
        bytes_of[site] += line.at_top.get(index, 0)
        if birth.phase != "backward" and birth.recording:
            modules[birth.module].add(site)
            if index in needed:
                trained.add((site, birth.module))
    bytes_of.pop(NO_SITE, None)
    found = []
    for site, _ in bytes_of.most_common(MOST_LINES):
        mine = [i for i in made[site] if i not in named and i not in needed]
        saved = [i for i in mine if births[i].phase != "backward" and kind_of(line, i) == "activation"]
        of_saved = {root(births[i].module) for i in saved}
        parts = {
            part for part, sites in modules.items()
            if site in sites and root(part) in of_saved and (site, part) not in trained
        } - with_trained  # fmt: skip
        # A module that other lines call as well has its gradients from them too.
        alone = {part for part in parts if modules[part] == {site}}
        spans = dict.fromkeys((*saved, *_of_backward(line, mine, parts, alone)), 0)
        if spans:
            where = "{}:{}".format(*place(line.log, site, name))
            found.append(Needless(OF_LINE, where, *peak_without(line, spans)))
    return tuple(found)


def _of_backward(
    line: Timeline, mine: Collection[int], parts: Collection[int], alone: Collection[int]
) -> Iterator[int]:
    """What backward makes for some modules: their gradients, and what it needs on the way."""
    for index in mine:
        birth = line.log.births[index]
        of_part = birth.module in parts and birth.module != NO_MODULE
        goes = birth.module in alone or kind_of(line, index) == "temporary"
        if birth.phase == "backward" and of_part and goes and index not in line.log.trained:
            yield index
