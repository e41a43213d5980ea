"""Text from outside (file names, messages, source) as it may be shown: on one line, driving no terminal."""

from __future__ import annotations

import re


def clean(text: str) -> str:
    """`text` on one line, without characters that would drive a terminal or turn the reading direction."""
    if is_plain(text):
        return text
    joined = re.sub(r"\s*[\r\n]\s*", " ", text)
    return "".join(visible(char) for char in joined)


def is_plain(text: str) -> bool:
    """Whether every character is shown as it is, in one column: nearly all lines are so."""
    return text.isascii() and text.isprintable()


def visible(char: str) -> str:
    """A character, or the replacement character for one that is not shown or changes how others are."""
    if " " <= char <= "~":
        return char
    import unicodedata

    category = unicodedata.category(char)
    bidirectional = category == "Cf" and unicodedata.bidirectional(char) not in ("BN", "ON")
    return "\N{REPLACEMENT CHARACTER}" if category in ("Cc", "Cs", "Zl", "Zp") or bidirectional else char


def in_json(document: str) -> str:
    """A JSON document with escapes for what would drive a terminal, or what no stream takes as it is."""
    return re.sub(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", _escape, document)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
