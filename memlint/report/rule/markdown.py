"""A rule as a Markdown page, and the index of all rules: what `docs/rules` and `rules/README.md` hold."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from memlint.catalogue import Rule, Variant
from memlint.examples import Example
from memlint.report.rule.page import (
    ITEM,
    Addresses,
    Examples,
    Messages,
    Part,
    Prose,
    after_fix,
    facts,
    grade,
    pointed,
    reflow,
    sections,
    spoken,
    unmarked,
)

GROUPS = {
    "MEM0": "The run itself",
    "MEM1": "Retention and leaks",
    "MEM2": "Grad mode",
    "MEM3": "Precision and AMP",
    "MEM4": "Data loading and host memory",
    "MEM5": "Allocator, cache, monitoring",
    "MEM6": "Parallel and distributed",
    "MEM7": "Checkpoint, save, load",
    "MEM8": "Attention",
    "MEM9": "API that does not exist, was removed or is deprecated",
    "MTF": "TensorFlow and Keras",
}
_UNBROKEN = 1_000_000
_CODE_SPAN = re.compile(r"(`[^`]+`)")
# What Markdown would take for emphasis, a tag, or the start of a heading, a quotation or a list.
_SPECIAL = re.compile(r"[*<]|(?<![^\W_])_|_(?![^\W_])|^[#>+]")
_SET = (
    "Without `select`, memlint reports what costs memory, and what fails or trains wrongly. Findings about "
    "`time` or `style` (in the column of severities) need their rule to be selected: "
    "`--select MEM401`, `--select ALL`."
)
_MADE = "<!-- Made from the rule files by `python -m tools.rule_docs`; edits here are lost. -->"


def render_page(rule: Rule) -> str:
    """All that the catalogue says about one rule; of its examples one in full, the others by their titles."""
    return "\n".join(_page(rule)) + "\n"


def render_help(rule: Rule) -> str:
    """What a service that shows findings says about their rule: its page without links into this project."""
    return "\n".join([_inline(rule.summary), *_sections(rule)]) + "\n"


def render_index(rules: Sequence[Rule], pages: str) -> str:
    """A table of all rules, family by family; `pages` is what leads to the folder of the pages, "" in it."""
    count = f"{len(rules)} rules. `memlint rule CODE` explains one offline."
    lines = ["# Rules", "", _MADE, "", count, "", _SET]
    for group, members in families(rules):
        lines += ["", f"## {group}", "", "| code | name | severity | fix | finds |", "|---|---|---|---|---|"]
        lines += [_row(rule, pages) for rule in members]
    return "\n".join(lines) + "\n"


def families(rules: Sequence[Rule]) -> Iterator[tuple[str, Iterator[Rule]]]:
    """The rules with the names of their families, in the order of the catalogue."""
    return groupby(rules, key=lambda rule: GROUPS[rule.code[: 3 if rule.code.startswith("MTF") else 4]])


def _row(rule: Rule, pages: str) -> str:
    severities = ", ".join(dict.fromkeys(grade(variant) for variant in rule.variants.values()))
    summary = _inline(rule.summary).replace("|", "\\|")
    return f"| [{rule.code}]({pages}{rule.code}.md) | {rule.name} | {severities} | {rule.fix} | {summary} |"


def _page(rule: Rule) -> Iterator[str]:
    sentence = f"{rule.summary[0].upper()}{rule.summary[1:]}."
    yield from (f"# {rule.code} {rule.name}", "", _MADE, "", _inline(sentence), "")
    told = [f"{name}: {_inline(value)}" for name, value in facts(rule)]
    alone = [text for text in told if text.startswith(("fix:", "cost:", "effect:"))]
    yield "* " + "; ".join(text for text in told if text not in alone)
    yield from (f"* {text}" for text in alone)
    yield f"* rule file, with all these examples in full: `rules/{rule.path.name}`"
    yield from _sections(rule)


def _sections(rule: Rule) -> Iterator[str]:
    for title, part in sections(rule):
        yield from ("", f"## {title}", "")
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case Prose(text):
            yield from _prose(text)
        case Messages(variants):
            yield from (line for variant in variants for line in _message(variant))
        case Examples(examples, shown=True):
            for number, example in enumerate(examples):
                yield from [""] if number else []
                yield from _example(example)
        case Examples(examples):
            yield from (f"* {_inline(example.title)}" for example in examples)
        case Addresses(urls):
            yield from (f"* <{url}>" for url in urls)


def _inline(text: str) -> str:
    """Text of one line in which only code spans mean more than their characters."""
    parts = _CODE_SPAN.split(text)
    return "".join(part if n % 2 else _SPECIAL.sub(r"\\\g<0>", part) for n, part in enumerate(parts))


def _prose(text: str) -> Iterator[str]:
    """Paragraphs and items on one line each, blocks apart.

    Indented code is fenced: below a list, Markdown would take the indent for a part of the item.
    """
    for number, (kind, lines) in enumerate(_blocks(reflow(text, _UNBROKEN))):
        yield from [""] if number else []
        if kind == "code":
            yield from ("```python", *(line[4:] for line in lines), "```")
        elif kind in ("fence", "table"):
            yield from lines
        else:
            for line in lines:
                bullet = ITEM.match(line)
                start = bullet.end() if bullet else 0
                yield line[:start] + _inline(line[start:])


def _blocks(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Lines of the same kind together; those of a paragraph stay alone, empty ones only part code."""
    blocks: list[tuple[str, list[str]]] = []
    fenced, empty = False, 0
    for line in lines:
        kind = "fence" if fenced or line.startswith("```") else _kind(line)
        fenced = fenced != line.startswith("```")
        if not kind:
            empty += 1
            continue
        if blocks and kind == blocks[-1][0] != "text" and (kind in ("code", "item") or not empty):
            blocks[-1][1].extend([""] * empty if kind == "code" else [])
            blocks[-1][1].append(line)
        else:
            blocks.append((kind, [line]))
        empty = 0
    return blocks


def _kind(line: str) -> str:
    if line.startswith("    "):
        return "code"
    if line.startswith("|"):
        return "table"
    return "item" if ITEM.match(line) else "text" if line.strip() else ""


def _message(variant: Variant) -> Iterator[str]:
    yield f"* **{grade(variant)}**: {_inline(spoken(variant.message))}"
    if variant.help:
        # By four: Python-Markdown, which makes the site, takes less for an item of the same list.
        yield f"    * {_inline(spoken(variant.help))}"


def _example(example: Example) -> Iterator[str]:
    """The code with the reported lines pointed at, then what the fix changes in it."""
    if example.title:
        yield from (_inline(example.title), "")
    yield "```python"
    yield from (f"{code}# <-- {mark}" if mark else code for code, mark in pointed(example.code))
    yield "```"
    if example.fixed is not None:
        yield from ("", after_fix(example), "", "```diff")
        changes = difflib.unified_diff(unmarked(example.code), unmarked(example.fixed), lineterm="", n=1)
        yield from list(changes)[2:]
        yield "```"
