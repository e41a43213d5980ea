"""Changes to real scripts: the same program in another layout, another program in the same layout.

Which change is made, and where, is drawn from a `random.Random`, so that a seed is a whole test.
"""

from __future__ import annotations

import ast
import io
import keyword
import random
import re
import tokenize
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("fixtures", "tests/corpus", "tests/rules")
NAMES = [
    "größe",
    "模型",
    "loss",
    "model",
    "x",
    "self",
    "optimizer",
    "loader",
    "total",
    "rows",
    "_",
    "ﬁ",
    "type",
]
HEADERS = [
    "if True:", "if loss:", "while rows:", "for x in loader:", "for epoch in range(3):", "try:",
    "with torch.no_grad():", "with open('f') as f, torch.autocast('cuda'):",
    "def step(model, loader, x=None):", "async def step(x):", "class Trainer:",
    "class Net(torch.nn.Module):", "@torch.no_grad()\ndef evaluate(x):",
    "match x:\n    case [a, *_]:",
]  # fmt: skip
MARK = "# kept"


@dataclass(frozen=True, slots=True)
class Block:
    """A statement on lines of its own: `first` to before `end`, from 0; `alone` in its block or not."""

    first: int
    end: int
    indent: str
    alone: bool


def scripts(most: int = 60_000) -> list[Path]:
    """The scripts of this repository that are changed, those of at most so many bytes."""
    found = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if path.stat().st_size <= most]


def compiles(text: str) -> bool:
    """Whether this Python takes a text for a program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "train.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def mutated(text: str, pick: random.Random, other: str = "", count: int = 3) -> str:
    """The text after up to `count` changes, each of which left a program; `other` lends statements."""
    for _ in range(count):
        for _ in range(4):
            new = pick.choice(_CHANGES)(text, pick, other)
            if new != text and compiles(new):
                text = new
                break
    return text


def blocks(text: str) -> list[Block]:
    """The statements of a program that share their lines with no other."""
    found: list[Block] = []
    lines = _lines(text)
    for parent in ast.walk(ast.parse(text)):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(parent, field, None)
            for statement in body if isinstance(body, list) else []:
                decorators = getattr(statement, "decorator_list", [])
                first = min([statement.lineno, *(d.lineno for d in decorators)]) - 1
                end = statement.end_lineno
                indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
                found.append(Block(first, end, indent, len(body) == 1))
    taken = [block.first for block in found]
    return [b for b in found if taken.count(b.first) == 1 and _starts_a_line(lines, b)]


def _starts_a_line(lines: Sequence[str], block: Block) -> bool:
    before = lines[block.first - 1] if block.first else ""
    return not before.rstrip().endswith("\\") and not re.match(
        r"\s*(else|elif|except|finally)\b", lines[block.first]
    )


def _lines(text: str) -> list[str]:
    return io.StringIO(text, newline=None).read().split("\n")


def _joined(text: str, lines: Sequence[str]) -> str:
    return ("\r\n" if "\r\n" in text else "\n").join(lines)


def _shifted(lines: Sequence[str], old: str, new: str) -> list[str]:
    return [new + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines]


def _any(text: str, pick: random.Random) -> tuple[list[str], Block] | None:
    found = blocks(text)
    return (_lines(text), pick.choice(found)) if found else None


def delete(text: str, pick: random.Random, other: str) -> str:
    """Without one of its statements."""
    chosen = _any(text, pick)
    if chosen is None:
        return text
    lines, block = chosen
    lines[block.first : block.end] = [f"{block.indent}pass"] if block.alone else []
    return _joined(text, lines)


def duplicate(text: str, pick: random.Random, other: str) -> str:
    """With one of its statements twice."""
    chosen = _any(text, pick)
    if chosen is None:
        return text
    lines, block = chosen
    lines[block.end : block.end] = lines[block.first : block.end]
    return _joined(text, lines)


def move(text: str, pick: random.Random, other: str) -> str:
    """With a statement in another place."""
    found = blocks(text)
    if len(found) < 2:
        return text
    lines, (block, there) = _lines(text), pick.sample(found, 2)
    moved = _shifted(lines[block.first : block.end], block.indent, there.indent)
    if there.first >= block.end:
        lines[there.first : there.first] = moved
        lines[block.first : block.end] = [f"{block.indent}pass"] if block.alone else []
    elif there.end <= block.first:
        lines[block.first : block.end] = [f"{block.indent}pass"] if block.alone else []
        lines[there.first : there.first] = moved
    return _joined(text, lines)


def insert(text: str, pick: random.Random, other: str) -> str:
    """With a statement of another script."""
    chosen = _any(text, pick)
    if chosen is None or not other or not compiles(other) or not (lent := blocks(other)):
        return text
    (lines, there), block = chosen, pick.choice(lent)
    taken = _lines(other)[block.first : block.end]
    lines[there.first : there.first] = _shifted(taken, block.indent, there.indent)
    return _joined(text, lines)


def wrap(text: str, pick: random.Random, other: str) -> str:
    """With a statement inside `if`, `for`, `with`, `try`, `def`, `class` or `match`."""
    chosen = _any(text, pick)
    if chosen is None:
        return text
    lines, block = chosen
    header = pick.choice(HEADERS)
    deeper = block.indent + ("        " if "case" in header else "    ")
    inner = _shifted(lines[block.first : block.end], block.indent, deeper)
    above = [block.indent + line for line in header.split("\n")]
    below = []
    if header == "try:":
        end = pick.choice(["except RuntimeError as error:", "except:", "finally:"])
        below = [block.indent + end, block.indent + "    " + pick.choice(["pass", "print()", "raise"])]
    elif header.startswith(("if", "for", "while")) and pick.random() < 0.3:
        below = [f"{block.indent}else:", f"{block.indent}    pass"]
    lines[block.first : block.end] = [*above, *inner, *below]
    return _joined(text, lines)


def rename(text: str, pick: random.Random, other: str) -> str:
    """With another name in one place, or in all."""
    tokens = [t for t in _tokens(text) if t.type == tokenize.NAME and not keyword.iskeyword(t.string)]
    if not tokens:
        return text
    one = pick.choice(tokens)
    new = pick.choice([pick.choice(NAMES), pick.choice(tokens).string])
    places = [one] if pick.random() < 0.5 else [t for t in tokens if t.string == one.string]
    return _replaced(text, [(t.start[0], t.start[1], len(t.string), new) for t in places])


def comment(text: str, pick: random.Random, other: str) -> str:
    """With comments: behind lines, between them, and inside brackets."""
    lines = _lines(text)
    free = [t.start[0] for t in _tokens(text) if t.type in (tokenize.NEWLINE, tokenize.NL)]
    often = pick.choice([0.1, 0.5, 1.0])
    for number in sorted({line for line in free if pick.random() < often}, reverse=True):
        if "#" not in lines[number - 1]:
            lines[number - 1] += f"  {MARK} {number}"
        if pick.random() < 0.5:
            lines.insert(number, f"{' ' * pick.choice([0, 4, 7])}{MARK} after {number}")
    return _joined(text, lines)


def tabs(text: str, pick: random.Random, other: str) -> str:
    """With tabs in place of four spaces, or two spaces for each four."""
    new = pick.choice(["\t", "  ", "        "])
    return re.sub(r"(?m)^(?:    )+", lambda match: new * (len(match[0]) // 4), text)


def line_ends(text: str, pick: random.Random, other: str) -> str:
    """With other ends of lines, or none at the end of the file."""
    plain = text.replace("\r\n", "\n")
    return pick.choice(
        [plain.replace("\n", "\r\n"), plain, plain.rstrip("\n"), f"{plain}\n\n  \n", f"\ufeff{plain}"]
    )


def squeeze(text: str, pick: random.Random, other: str) -> str:
    """With two statements on one line, or a block behind its colon."""
    lines = _lines(text)
    starts = {block.first: block for block in blocks(text) if block.end == block.first + 1}
    pairs = [at for at in starts if at + 1 in starts and starts[at].indent == starts[at + 1].indent]
    bodies = [at for at in starts if at and lines[at - 1].rstrip().endswith(":") and starts[at].alone]
    at = pick.choice([*pairs, *bodies] or [-1])
    if at in pairs and "#" not in lines[at]:
        lines[at : at + 2] = [f"{lines[at].rstrip()}{pick.choice(['; ', ';', ' ; '])}{lines[at + 1].strip()}"]
    elif at in bodies:
        lines[at - 1 : at + 1] = [f"{lines[at - 1].rstrip()} {lines[at].strip()}"]
    return _joined(text, lines)


def spread(text: str, pick: random.Random, other: str) -> str:
    """With line breaks inside brackets or, behind a backslash, between words; and with odd white space."""
    tokens = [t for t in _tokens(text) if t.type == tokenize.OP and t.string in ("(", ",", "[", "=", "+")]
    if not tokens:
        return text
    edits = []
    for token in pick.sample(tokens, min(len(tokens), 3)):
        inside = token.string in ("(", ",", "[")
        new = token.string + (
            pick.choice(["\n", "\n\n   ", f"  {MARK} here\n"])
            if inside
            else pick.choice([" \\\n ", "\f", "\t"])
        )
        edits.append((token.start[0], token.start[1], len(token.string), new))
    return _replaced(text, edits)


_CHANGES: list[Callable[[str, random.Random, str], str]] = [
    delete, duplicate, move, move, insert, insert, wrap, wrap, rename, rename, comment, tabs, line_ends,
    squeeze, spread,
]  # fmt: skip


def _tokens(text: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(text, newline=None).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def _replaced(text: str, edits: Sequence[tuple[int, int, int, str]]) -> str:
    """With (line from 1, column from 0, length, new text) put in."""
    lines = _lines(text)
    for line, column, length, new in sorted(edits, reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[:column] + new + old[column + length :]
    return _joined(text, "\n".join(lines).split("\n"))
