"""A rule as a page to read in a terminal, and all rules as a list: what `memlint rule` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from memlint.catalogue import Example, Rule
from memlint.finding import Applicability
from memlint.report import minidiff
from memlint.report.frame import Frame
from memlint.report.layout import wrap
from memlint.report.style import Line, paint
from memlint.report.summary import APPLIED_BY_FIX, RenderOptions, plural

FIXES = {
    "none": "none",
    Applicability.DISPLAY: "shown as a suggestion, never applied",
    Applicability.UNSAFE: "unsafe, applied by --fix --unsafe-fixes",
    Applicability.REPAIR: "repair, applied by --fix",
    Applicability.SAFE: "safe, applied by --fix",
}
ITEM = re.compile(r"(\* |- |\d+\. )")
MARK = re.compile(r"#! (?=M(?:EM|TF)\d)")


def render_rule(rule: Rule, out: TextIO, options: RenderOptions) -> None:
    """Write all that the catalogue says about one rule: facts, texts, examples, limits, references."""
    paint(_page(rule, options), out, color=options.color)


def render_list(rules: Sequence[Rule], out: TextIO, options: RenderOptions) -> None:
    """Write two lines per rule: code, severity and name, then the summary."""
    lines: list[Line] = []
    for rule in rules:
        style = rule.severity.value
        fixable = ("  [*]", "fixable") if rule.fix in APPLIED_BY_FIX else ("", "")
        lines.append([(f"{rule.code}  ", "head"), (f"{style:7}  ", style), (rule.name, "head"), fixable])
        lines += [[(f"        {text}", "")] for text in wrap(rule.summary, options.width - 8)]
    footer = f"{plural(len(rules), 'rule')}. [*] can be fixed with --fix. `memlint rule CODE` explains one."
    lines += [[], *([(text, "")] for text in wrap(footer, options.width))]
    paint(lines, out, color=options.color)


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


def _page(rule: Rule, options: RenderOptions) -> Iterator[Line]:
    yield [(f"{rule.code} ", rule.severity.value), (rule.name, "head")]
    yield from _prose(rule.summary, options.width)
    yield []
    for name, value in _facts(rule):
        for at, text in enumerate(wrap(value, options.width - 12)):
            yield [(f"{'' if at else name:<12}", "gutter"), (text, "")]
    yield from _section("What it says", _messages(rule, options.width))
    yield from _section("Why", _prose(rule.explanation, options.width))
    yield from _section("Example", _example(rule.bad[0], options) if rule.bad else ())
    yield from _section("Also reported", _titles(rule.bad[1:], options.width))
    yield from _section("Not reported", _titles(rule.good, options.width))
    yield from _section("Is the fix safe?", _prose(rule.fix_safety, options.width))
    yield from _section("Known limits", _prose(rule.known_limits, options.width))
    yield from _section("References", ([(reference, "")] for reference in rule.references))
    yield []
    yield [(f"All examples in full: rules/{rule.path.name}", "dim")]


def _facts(rule: Rule) -> Iterator[tuple[str, str]]:
    yield "certainty", rule.certainty
    yield "fix", FIXES[rule.fix]
    yield "frameworks", ", ".join(rule.frameworks)
    if rule.requires_torch:
        yield "torch", rule.requires_torch
    yield "since", rule.since
    claim = rule.variants["default"].claim
    if claim:
        yield "claim", f"{claim.type}: {claim.formula}"


def _section(title: str, lines: Sequence[Line] | Iterator[Line]) -> Iterator[Line]:
    """A heading above the lines; nothing where there are none."""
    body = list(lines)
    if body:
        yield []
        yield [(title, "head")]
        yield from body


def _prose(text: str, width: int) -> Iterator[Line]:
    return ([(line, "")] for line in reflow(text, width)) if text else iter(())


def _messages(rule: Rule, width: int) -> Iterator[Line]:
    """One message per variant, with its severity and its remedy."""
    for variant in rule.variants.values():
        style = variant.severity.value
        first, *rest = wrap(variant.message, width - len(style) - 2)
        yield [(f"{style}:", style), (f" {first}", "")]
        for text in rest:
            yield [(" " * (len(style) + 2) + text, "")]
        for text in wrap(variant.help, width - 4) if variant.help else ():
            yield [("    " + text, "dim")]


def _example(example: Example, options: RenderOptions) -> Iterator[Line]:
    """The code with the reported lines pointed at, then what the fix changes in it."""
    if example.title:
        yield from _prose(example.title, options.width)
        yield []
    bad = example.code.rstrip().splitlines()
    size = len(str(len(bad)))
    for number, line in enumerate(bad, 1):
        code, *marks = MARK.split(line, maxsplit=1)
        pointer = [("# <-- ", "dim"), (marks[0], "error")] if marks else []
        yield [(f"{number:>{size}} | ", "gutter"), (code, ""), *pointer]
    if example.fixed is not None:
        flag = "--fix" if example.fix == "safe" else "--fix --unsafe-fixes"
        clean = [MARK.split(line, maxsplit=1)[0].rstrip() for line in bad]
        fixed = [MARK.split(line, maxsplit=1)[0].rstrip() for line in example.fixed.rstrip().splitlines()]
        yield []
        yield [(f"After `memlint check {flag}`:", "")]
        yield from minidiff.draw(
            list(minidiff.compare(clean, fixed)), Frame("", size, options.width, options.code_width)
        )


def _titles(examples: Sequence[Example], width: int) -> Iterator[Line]:
    for example in examples:
        first, *rest = wrap(example.title, width - 2)
        yield [(f"- {first}", "")]
        for text in rest:
            yield [(f"  {text}", "")]
