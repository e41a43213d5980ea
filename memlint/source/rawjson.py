"""Where values stand in a JSON text, and new lines in place of a notebook's `source` there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from memlint.records import dataclass

LINE_END = re.compile(r"\r\n|\r|\n")

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")
_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|[^\\]+")
_ENDS = {r"\n": "\n", r"\u000a": "\n", r"\r": "\r", r"\u000d": "\r"}
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])")
_SURROGATE = re.compile("[\ud800-\udfff]")

Range = tuple[int, int]
"""Begin and end offset of a value."""


def members(text: str, at: int) -> dict[str, Range]:
    """The values of the object that begins at an offset of a valid JSON text, by key; the last of equals."""
    found: dict[str, Range] = {}
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        begin = _skip(text, _skip(text, end) + 1)
        found[key] = (begin, _DECODER.raw_decode(text, begin)[1])
        at = _next(text, found[key][1])
    return found


def elements(text: str, at: int) -> list[Range]:
    """The values of the array that begins at an offset of a valid JSON text."""
    found: list[Range] = []
    at = _skip(text, at + 1)
    while text[at] != "]":
        found.append((at, _DECODER.raw_decode(text, at)[1]))
        at = _next(text, found[-1][1])
    return found


def with_lines(text: str, place: Range, lines: Sequence[str]) -> str:
    """A string, or list of strings, with these lines instead of its own; equal lines keep their escapes.

    The result has the shape that it had: one string, or a list with one string for each line.
    """
    is_list = text[place[0]] == "["
    strings = elements(text, place[0]) if is_list else [place]
    old = _raw_lines("".join(text[begin + 1 : end - 1] for begin, end in strings))
    contents = [json.loads(f'"{line.content}"', strict=False) for line in old]
    usual = next((line.end for line in old if line.end), r"\n")
    new: list[_RawLine] = []
    for tag, a, b, c, d in SequenceMatcher(None, contents, lines, autojunk=False).get_opcodes():
        if tag == "equal":
            new += [_RawLine(line.content, line.end or usual) for line in old[a:b]]
        else:
            new += [_RawLine(_escaped(line, text), usual) for line in lines[c:d]]
    pieces = [line.content + line.end for line in new[:-1]] + [line.content for line in new[-1:]]
    if not is_list:
        return f'"{"".join(pieces)}"'
    opening, separator, closing = _punctuation(text, place, strings)
    return opening + separator.join(f'"{piece}"' for piece in pieces if piece) + closing


@dataclass(frozen=True, slots=True)
class _RawLine:
    """A line of a JSON string as it is escaped there, and its line end, "" for the last one."""

    content: str
    end: str = ""


def _raw_lines(raw: str) -> list[_RawLine]:
    lines: list[_RawLine] = []
    content: list[str] = []
    end = ""
    for piece in _ESCAPE.findall(raw):
        kind = _ENDS.get(piece.lower() if piece.startswith(r"\u") else piece, "")
        if end and not (kind == "\n" and _ENDS[end.lower()] == "\r"):
            lines.append(_RawLine("".join(content), end))
            content, end = [], ""
        if not kind:
            content.append(piece)
            continue
        end += piece
        if kind == "\n":
            lines.append(_RawLine("".join(content), end))
            content, end = [], ""
    if end:
        lines.append(_RawLine("".join(content), end))
        content = []
    return [*lines, _RawLine("".join(content))]


def _escaped(line: str, text: str) -> str:
    """A line as the inside of a JSON string; beyond ASCII it is escaped where all of the file is."""
    ascii_only = text.isascii() and _ESCAPED.search(text) is not None
    inner = json.dumps(line, ensure_ascii=ascii_only)[1:-1]
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", inner)


def _punctuation(text: str, place: Range, strings: Sequence[Range]) -> tuple[str, str, str]:
    """What stands before the first string of a list, between two of them, and behind the last."""
    if not strings:
        return "[", ", ", "]"
    opening, closing = text[place[0] : strings[0][0]], text[strings[-1][1] : place[1]]
    if len(strings) > 1:
        return opening, text[strings[0][1] : strings[1][0]], closing
    compact = "" if text[place[0] - 1] == ":" else " "
    return opening, f",{opening[1:] or compact}", closing


def _skip(text: str, at: int) -> int:
    """The offset of what follows white space."""
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at


def _next(text: str, end: int) -> int:
    """The offset of the next member or element behind a value, or of the closing bracket."""
    at = _skip(text, end)
    return _skip(text, at + 1) if text[at] == "," else at
