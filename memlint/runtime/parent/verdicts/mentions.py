"""The variables and attributes that a finding speaks of, to be found again among the objects of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memlint.finding import Finding

_CHAIN = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*(\s*\()?")
_TEXT = re.compile(r"""(?s)#[^\n]*|(['"])(?:\\.|(?!\1).)*?\1""")
_NAMED = re.compile(r"`((?:self|cls|[A-Z]\w*)\.[\w.]+)` keeps ")
"""How messages begin about what an object keeps."""

_CARRIED = re.compile(r"`([^`]+)` (?:takes its graph|takes the graphs|goes into the next) ")
"""How messages begin about a state that goes from one iteration into the next."""

_ALIVE = re.compile(r"((?:`[^`]+`(?:, )?)+)(?: \([^)]*\))? (?:stays alive|lives on) during ")
"""How messages begin about variables that hold an output while a backward() runs."""

_KEY = re.compile(r"\[(['\"])(.*?)\1\]")
_OWN = ("self", "cls")
_FILLS = r"(?<![\w.]){}{}\s*(?:\.(?:append|extend|add|insert|appendleft|put)\(|\[[^]]*\]\s*=(?!=)|\+=)"
"""A line that puts something into a variable."""

_ASSIGNS = r"^[^=#(]*(?<![\w.]){}(?![\w.])[^=#(]*=(?!=)"
"""A line that gives a variable its value, alone or among others."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The variables and attributes that a finding speaks of, as in the source: "meter", "self.losses".

    `container` is what its span begins with (the list in `losses.append(loss)`), `values` all of its lines.
    `fills` says that these lines put something into that container, and `others` are all further lines of the
    project that do ("train.py:12"). `key` is the entry that they fill, where the source says it as a text
    (`logs["loss"].append(loss)`). `made_at` are the lines which give `values` that are put in to their names,
    and `others_made_at` the same for the other lines.
    """

    container: str = ""
    values: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    fills: bool = False
    key: str = ""
    made_at: frozenset[str] = frozenset()
    others_made_at: frozenset[str] = frozenset()

    def is_elsewhere(self, path: str) -> bool:
        """Whether a path leads to another entry of the container than the one that the lines fill."""
        last = self.container.rpartition(".")[2]
        if not (last and self.key):
            return False
        found = re.search(rf"(?:^|\.){re.escape(last)}\[(['\"])(.*?)\1\]", path)
        return found is not None and found[2] != self.key

    def holder(self, paths: Sequence[str]) -> bool:
        """Whether an object is meant, given all names by which it is reached."""
        return any(map(self._is_meant, paths))

    def name(self, paths: Sequence[str]) -> str:
        """An object as the finding calls it ("self.losses" for "model.losses"), else its shortest name."""
        for mention in (self.container, *self.values):
            root = mention.partition(".")[0]
            single = replace(self, container=mention, values=(mention,))
            meant = [path for path in paths if single.holder([path])]
            if meant:
                own = [path for path in meant if path.partition(".")[0] == root]
                return min(own, key=_length, default=mention)
        return min(paths, key=_length)

    def _is_meant(self, path: str) -> bool:
        # What is put into a container may go elsewhere as well: `losses.append(loss)` says nothing of `loss`.
        return self._is_in_container(path) or (not self.fills and self._is_value(path))

    def _is_in_container(self, path: str) -> bool:
        # The variable may have another name elsewhere: its attributes are what counts.
        root, _, attributes = self.container.partition(".")
        wanted = attributes or (root if root not in _OWN else "")
        return bool(wanted) and f".{wanted}." in f".{path}."

    def _is_value(self, path: str) -> bool:
        for value in self.values:
            root, _, attributes = value.partition(".")
            if path == value or (root in _OWN and attributes and f".{path}".endswith(f".{attributes}")):
                return True
        return False


NOTHING = Mentions()


def _length(path: str) -> tuple[int, str]:
    return len(path), path


def mentions(finding: Finding, texts: Mapping[str, str]) -> Mentions:
    """What a finding speaks of in the source of its file.

    `texts` are those of all files of the project by path: a finding on a call may speak of what a function of
    another file keeps, which only its message names.
    """
    span = finding.span
    lines = texts[finding.path].splitlines()[span.line - 1 : span.end_line]
    cut = "\n".join(lines)
    # The lines after the first are whole: the end of the span is counted from the end of the last one.
    end = len(cut) - len(lines[-1]) + span.end_column - 1 if lines else 0
    of_span = _chains(cut[span.column - 1 : end])
    container = of_span[0] if of_span else ""
    if carried := _CARRIED.match(finding.message):
        states = _chains(carried[1])
        return Mentions(states[0] if states else "", tuple(dict.fromkeys([*states, *_chains(cut)])))
    if alive := _ALIVE.match(finding.message):
        names = _chains(alive[1].replace("`", ""))
        return Mentions(names[0], tuple(names))
    named = _NAMED.match(finding.message)
    if named and named[1] not in _chains(cut):
        fillers = _filling(named[1], "", texts)
        return Mentions(named[1], (named[1],), tuple(fillers) if len(fillers) > 1 else ())
    keyed = _KEY.match(cut[span.column - 1 :].removeprefix(container)) if container else None
    key = keyed[2] if keyed is not None else ""
    fillers = _filling(container, key, {finding.path: texts[finding.path]}) if container else []
    mine = {f"{finding.path}:{n}" for n in range(span.line, span.end_line + 1)}
    others = tuple(line for line in fillers if line not in mine)
    fills = len(others) < len(fillers)
    if not (fills and others):
        return Mentions(container, tuple(_chains(cut)), others, fills, key)
    whole = texts[finding.path].splitlines()
    made = _made_at(finding.path, whole, container, [int(line.rpartition(":")[2]) for line in mine])
    apart = _made_at(finding.path, whole, container, [int(line.rpartition(":")[2]) for line in others])
    return Mentions(container, tuple(_chains(cut)), others, fills, key, made, apart)


def _filling(container: str, key: str, texts: Mapping[str, str]) -> list[str]:
    """The lines ("path:number") that put something into a container, or into one entry of it."""
    entry = rf"\[['\"]{re.escape(key)}['\"]\]" if key else r"(?:\[[^]]*\])?"
    fills = re.compile(_FILLS.format(re.escape(container), entry))
    return [
        f"{path}:{number}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if fills.search(line)
    ]


def _made_at(path: str, lines: Sequence[str], container: str, fillers: Sequence[int]) -> frozenset[str]:
    """Some lines that fill a container, and those which assign the names that are put in ("path:number")."""
    names = {name for n in fillers for name in _chains(lines[n - 1])} - {container}
    assign = [re.compile(_ASSIGNS.format(re.escape(name))) for name in names]
    found = {n for n, line in enumerate(lines, 1) if any(pattern.search(line) for pattern in assign)}
    return frozenset(f"{path}:{n}" for n in {*fillers, *found})


def _chains(code: str) -> list[str]:
    """The dotted names of some code, without those of the functions and methods that it calls."""
    found = []
    for match in _CHAIN.finditer(_TEXT.sub(" ", code)):
        name = re.sub(r"[\s(]", "", match[0])
        found.append(name.rpartition(".")[0] if match[1] else name)
    return [name for name in dict.fromkeys(found) if name]
