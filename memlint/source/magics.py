"""The parts of a notebook cell that are no Python: magics, shell lines and help, masked and put back.

A masked line is Python that keeps the column of everything that still counts, and ends in a comment that
tells it apart from every other line, so that it can be found again in an edited text.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

from memlint.records import dataclass

RUNS_PYTHON = frozenset(
    "time timeit capture prun memit mprun lprun snakeviz pyinstrument scalene debug wandb notify".split()
)
"""Cell magics whose body runs as a part of the notebook; the body of any other is something else."""

_TIMES = frozenset("time timeit prun memit mprun lprun snakeviz pyinstrument".split())
_MARK = re.compile(r"(?P<indent>[ \t]*)(?P<mark>%%?|!!?|\?\??|[,;/])(?P<word>\w*)")
_HELP = re.compile(r"[ \t]*%{0,2}[A-Za-z_*][\w.*\[\]]*\?\??[ \t]*")
_ASSIGNED = re.compile(r"""(?P<head>[^=#"'(]*[^=#"'(!<>]=[ \t]*)(?P<mark>[%!])(?P<word>\w*)""")
_TYPED = re.compile(
    r"[ \t]*(pip|conda|mamba|uv|ls|ll|cd|mkdir|rmdir|cat|rm|cp|mv|pwd|run|load_ext|reload_ext|matplotlib|env"
    r"|set_env|time|timeit|who|whos|clear|man|more|less|history)([ \t]+[^=\s].*)?"
)
_OPTION = re.compile(r"-[a-zA-Z]\s*\d+\s+|-[DTfsml]\s+\S+\s+|-[a-zA-Z]+\s+")
_SPLICED = re.compile(r"\{([A-Za-z_]\w*)[}:!.\[]|\$([A-Za-z_]\w*)")
_NEXT = re.compile(r"""['"#()\[\]{}]""")


@dataclass(frozen=True, slots=True)
class Masked:
    """The lines of a cell as Python, and what stood in place of each masked one."""

    lines: tuple[str, ...]
    originals: dict[str, str]


def mask(lines: Sequence[str], key: str, *, typed: bool = False) -> Masked | None:
    """The cell as Python; None for a cell that a cell magic gives to another language or process.

    `key` is a text that occurs nowhere in the notebook. With `typed`, lines that are no Python but begin
    with the name of a magic (`pip install x`, `ls data`) are taken for that magic.
    """
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    magic = re.match(r"%%(\w+)", lines[first]) if first < len(lines) else None
    if first < len(lines) and lines[first].startswith("%%") and (not magic or magic[1] not in RUNS_PYTHON):
        return None
    out: list[str] = []
    originals: dict[str, str] = {}
    scan = _Scan()
    while len(out) < len(lines):
        line = lines[len(out)]
        python = None if scan.inside else _python(line, typed)
        if python is None:
            out.append(line)
            scan.read(line)
            continue
        for number, text in enumerate(_continued(lines[len(out) :])):
            masked = f"{python}  # {key}.{len(out)}" if number == 0 else f"# {key}.{len(out)}"
            originals[masked] = text
            out.append(masked)
    return Masked(tuple(out), originals)


def is_transcript(lines: Sequence[str]) -> bool:
    """Whether a cell was pasted with the prompts of an interpreter, which IPython takes away."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith((">>>", "In ["))


def parses(text: str) -> bool:
    """Whether this Python can parse a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _continued(lines: Sequence[str]) -> Sequence[str]:
    """A line with those that a backslash at its end adds to it."""
    count = 1
    while count < len(lines) and lines[count - 1].endswith("\\"):
        count += 1
    return lines[:count]


def _python(line: str, typed: bool) -> str | None:
    """What stands for a line that begins no Python statement; None for one that does."""
    found = _MARK.match(line)
    if found is None and (_HELP.fullmatch(line) or (typed and _TYPED.fullmatch(line) and not parses(line))):
        return f"{_margin(line)}get_ipython()"
    found = found or _ASSIGNED.match(line)
    if found is None:
        return None
    head = found["head"] if "head" in found.groupdict() else ""
    if found["mark"] == "%" and found["word"] in _TIMES:
        kept = _timed(line, head or _margin(line), found.end(), starter="" if head else "0;")
        if kept is not None:
            return kept
    names = dict.fromkeys(name for pair in _SPLICED.findall(line) for name in pair if name)
    return f"{head or _margin(line)}get_ipython({', '.join(names)})"


def _timed(line: str, head: str, end: int, starter: str) -> str | None:
    """The statement behind `%time` or its like, in its columns; None where none is found."""
    if line.endswith("\\"):
        return None
    body = end + len(line[end:]) - len(line[end:].lstrip())
    while (option := _OPTION.match(line, body)) is not None:
        body = option.end()
    filler = " " * (body - len(head) - len(starter))
    python = f"{head}{starter}{filler}{line[body:]}"
    return python if line[body:].strip() and parses(python.lstrip()) else None


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


@dataclass(slots=True)
class _Scan:
    """How far a statement goes: open brackets, an open string, a backslash at the end of a line."""

    depth: int = 0
    quote: str = ""
    joined: bool = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with a statement."""
        return bool(self.depth or self.quote or self.joined)

    def read(self, line: str) -> None:
        """Take note of one more line."""
        at = 0
        comment = False
        while at < len(line) and not comment:
            if self.quote:
                at = self._in_string(line, at)
                continue
            found = _NEXT.search(line, at)
            if found is None:
                break
            at, char = found.end(), found[0]
            if char in "'\"":
                self.quote = char * 3 if line.startswith(char * 3, found.start()) else char
                at = found.start() + len(self.quote)
            elif char == "#":
                comment = True
            else:
                self.depth = max(self.depth + (1 if char in "([{" else -1), 0)
        self.joined = line.endswith("\\") and not comment
        if len(self.quote) == 1 and not self.joined:
            self.quote = ""

    def _in_string(self, line: str, at: int) -> int:
        if line.startswith(self.quote, at):
            at += len(self.quote)
            self.quote = ""
            return at
        return at + (2 if line[at] == "\\" else 1)
