"""Words that nobody of the field would say stay out of messages, help texts, rules, documents and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PHRASES = {
    r"\brecord(s|ed|ing)? ((a|the|its|no) )?(autograd )?graphs?\b": "builds an autograd graph",
    r"\bgraphs? (is|was|are|were|gets?) recorded\b": "the graph is built",
    r"until the last name of it": "for as long as a variable refers to it",
    r"\bbelongs? to nobody\b": "say whose they are, or that no optimizer has them",
    r"\bscale becomes others\b": "the scale changes",
    r"\bnone of our business\b": "left alone",
    r"\bopportunities \(severity advice\)": "findings of severity advice",
    r"\bhost only\b": "host RAM only",
    r"\bevery birth and death\b": "every allocation and release",
    r"\b[APN] bytes\b": "say which bytes",
    r"\bA per step\b": "all tensors that one forward pass saves",
    r"(×|\+|of|=|\bat least \d×?) e\([a-z ]+\)": "bytes of the tensor",
    r"\b[AP] \([A-Za-z]*:? ?bytes\b": "say which bytes",
    r"\bN×": "for each",
    r"\banew\b": "again",
    r"\bmend(s|ed|ing)?\b": "repair, fix",
    r"\b(tells?|told) of\b": "report",
    r"\bgraver\b": "of higher severity",
    r"\b(thereby|wherein|abroad|specimens?|happenings|cadence)\b": "a plain word",
}
"""What is not said, as a pattern, and what is said instead."""

SAID_AS = {"docs/glossary.md"}
"""Files that may name such words."""


def texts() -> Iterator[Path]:
    """All that a user or a reader of the code sees; docs/rules is made from the rule files."""
    yield from ROOT.glob("*.md")
    yield from ROOT.glob("docs/*.md")
    yield from ROOT.glob("rules/M*.toml")
    for ending in ("py", "js", "css", "html"):
        yield from ROOT.glob(f"memlint/**/*.{ending}")


def found(text: str) -> list[tuple[str, str]]:
    """The phrases in a text, each with what to say instead; they may go over the end of a line."""
    plain = re.sub(r"\s+", " ", text)
    return [
        (match[0], instead)
        for pattern, instead in PHRASES.items()
        for match in re.finditer(pattern, plain, re.IGNORECASE)
    ]


def test_no_text_has_a_phrase_that_nobody_says() -> None:
    said = {
        str(path.relative_to(ROOT)): phrases
        for path in texts()
        if str(path.relative_to(ROOT)) not in SAID_AS and (phrases := found(path.read_text("utf-8")))
    }
    assert said == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("`net(x)` records\n a graph that no backward() uses", 1),
        ("The graph is recorded here.", 1),
        ("keeps A bytes, batches × e(value)", 2),
        ("1 refuted, 1 host only", 1),
        ("it builds an autograd graph, which takes 25 MB", 0),
        ("a.step(), b.size(x), f(e(x))", 0),
    ],
)
def test_what_counts_as_such_a_phrase(text: str, number: int) -> None:
    assert len(found(text)) == number
