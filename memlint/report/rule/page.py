"""What is said about a rule, and in which order: the one source of its text and its Markdown page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memlint.catalogue import Rule, Variant
from memlint.examples import Example
from memlint.finding import Applicability
from memlint.records import dataclass
from memlint.report.layout import wrap
from memlint.source.files import shown

FIXES = {
    "none": "none",
    Applicability.DISPLAY: "shown as a suggestion, never applied",
    Applicability.UNSAFE: "unsafe, applied by --fix --unsafe-fixes",
    Applicability.REPAIR: "repair, applied by --fix",
    Applicability.SAFE: "safe, applied by --fix",
}
COSTS = {
    "GROWTH": "growing memory: ",
    "GROWTH-HOST": "growing host memory: ",
    "PEAK": "a higher peak: ",
    "RESERVED": "more reserved memory: ",
    "HOST": "host memory: ",
    "TIME": "time: ",
}
"""What the claims of each type say that a finding costs; the other types are about results and failures."""
ITEM = re.compile(r"(\* |- |\d+\. )")
_MARK = re.compile(r"#! (?=[A-Z]+\d)")


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs, lists and code as the rule file has them."""

    text: str


@dataclass(frozen=True, slots=True)
class Messages:
    """What the variants of the rule say."""

    variants: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Scripts; `shown` ones are there to be read, of the others a terminal gives the titles only."""

    examples: Sequence[Example]
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where more can be read."""

    urls: tuple[str, ...]


Part = Prose | Messages | Examples | Addresses


def facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """The short facts about a rule, each with its name."""
    if rule.certainty:
        yield "certainty", rule.certainty
    if not rule.is_default:
        yield "in force", f"only when selected: --select {rule.code}"
    yield "fix", FIXES[rule.fix]
    if causes := sorted(rule.effect_of - {rule.code}):
        yield "shown under", f"{' or '.join(causes)}, where that rule reports the cause"
    if rule.frameworks:
        yield "frameworks", ", ".join(rule.frameworks)
    if rule.requires_torch:
        yield "torch", rule.requires_torch
    yield from rule.requires
    if rule.since:
        yield "since", rule.since
    if rule.pack:
        yield "pack", shown(Path(rule.pack))
    claim = rule.variants["default"].claim
    if claim:
        yield "cost" if claim.type in COSTS else "effect", COSTS.get(claim.type, "") + claim.formula


def summary_facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """What one screen has room for: whether it is in force, what becomes of a finding, what that costs."""
    return (fact for fact in facts(rule) if fact[0] in ("in force", "fix", "torch", "cost", "pack"))


def sections(rule: Rule) -> Iterator[tuple[str, Part]]:
    """Heading and content of every section that the rule has something for."""
    yield "What it says", Messages(tuple(rule.variants.values()))
    yield "Why", Prose(rule.explanation)
    if rule.bad:
        yield "Example", Examples(rule.bad[:1], shown=True)
    if rule.bad[1:]:
        yield "Also reported", Examples(rule.bad[1:])
    if rule.good:
        yield "Not reported", Examples(rule.good)
    if rule.fix_safety:
        yield "Is the fix safe?", Prose(rule.fix_safety)
    if rule.known_limits:
        yield "Known limits", Prose(rule.known_limits)
    if rule.references:
        yield "References", Addresses(rule.references)


def summary_sections(rule: Rule) -> Iterator[tuple[str, Part]]:
    """The sections of one screen: why, with the measured cost; an example and its fix; what is left alone.

    The addresses come after them, without a heading.
    """
    first, *others = re.split(r"\n\s*\n", rule.explanation)
    while first.rstrip().endswith(":") and others:
        # What a colon announces belongs to it.
        first = f"{first}\n\n{others.pop(0)}"
    measured = next((text for text in others if text.startswith("Measured")), None)
    yield "Why", Prose("\n\n".join([first, measured] if measured else [first]))
    if rule.bad:
        title = f"Example: {rule.bad[0].title}".removesuffix(": ")
        yield title, Examples((replace(rule.bad[0], title=""),), shown=True)
    if rule.good:
        yield "Not reported", Examples(rule.good)


def grade(variant: Variant) -> str:
    """The severity of a variant, and its concern where that keeps it out of the default set."""
    return variant.severity.value if variant.is_default else f"{variant.severity.value}, {variant.concern}"


def spoken(template: str) -> str:
    """A text of a variant as people read it: placeholders stay, doubled braces are single."""
    return template.replace("{{", "{").replace("}}", "}")


def pointed(code: str) -> Iterator[tuple[str, str]]:
    """The lines of an example, each with what its mark promises, or ""."""
    for line in code.rstrip().splitlines():
        text, *marks = _MARK.split(line, maxsplit=1)
        yield (text, marks[0]) if marks else (text, "")


def unmarked(code: str) -> list[str]:
    """The lines of an example as a user would write them."""
    return [text.rstrip() for text, _ in pointed(code)]


def after_fix(example: Example) -> str:
    """The sentence above the fixed form of an example."""
    return f"After `memlint check {'--fix' if example.fix == 'safe' else '--fix --unsafe-fixes'}`:"


def reflow(text: str, width: int) -> list[str]:
    """Paragraphs and lists of `text` wrapped to `width`; fenced, indented and table lines as they are."""
    out: list[str] = []
    paragraph: list[str] = []
    fenced = False

    def flush() -> None:
        if paragraph:
            bullet = ITEM.match(paragraph[0])
            indent = len(bullet[0]) if bullet else 0
            first, *rest = wrap(" ".join(paragraph)[indent:], width - indent)
            out.append(paragraph[0][:indent] + first)
            out.extend(" " * indent + line for line in rest)
            paragraph.clear()

    for line in text.splitlines():
        fence = line.startswith("```")
        verbatim = fenced or fence or line.startswith("|") or (line.startswith("    ") and not paragraph)
        if verbatim or not line.strip() or ITEM.match(line):
            flush()
        if verbatim or not line.strip():
            out.append(line)
        else:
            paragraph.append(line if not paragraph else line.strip())
        fenced = fenced != fence
    flush()
    return out
