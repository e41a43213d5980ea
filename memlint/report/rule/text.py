"""A rule as a page to read in a terminal, and all rules as a list: what `memlint rule` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from memlint.catalogue import Rule, Variant
from memlint.config import shown
from memlint.examples import Example
from memlint.report import minidiff
from memlint.report.frame import Frame
from memlint.report.layout import wrap
from memlint.report.rule.page import (
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
    summary_facts,
    summary_sections,
    unmarked,
)
from memlint.report.style import Line, paint
from memlint.report.summary import APPLIED_BY_FIX, RenderOptions
from memlint.units import plural

_LINKS = 2
"""How many addresses one screen has room for."""


def render_rule(rule: Rule, out: TextIO, options: RenderOptions) -> None:
    """Write what the catalogue says about one rule: one screen of it, or with `full` all."""
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


def _page(rule: Rule, options: RenderOptions) -> Iterator[Line]:
    yield [(f"{rule.code} ", rule.severity.value), (rule.name, "head")]
    yield from _prose(rule.summary, options.width)
    yield []
    for name, value in facts(rule) if options.full else summary_facts(rule):
        for at, text in enumerate(wrap(value, options.width - 12)):
            yield [(f"{'' if at else name:<12}", "gutter"), (text, "")]
    for title, part in sections(rule) if options.full else summary_sections(rule):
        yield []
        yield [(title, "head")]
        yield from _part(part, options)
    yield []
    if options.full:
        if rule.url and not rule.pack:
            yield [(f"On the web: {rule.url}", "dim")]
        yield [(f"These examples in full: {shown(rule.path)}", "dim")]
    else:
        yield from ([(url, "")] for url in _links(rule))
        more = f"memlint rule {rule.code} --full: every message, fix safety, known limits"
        yield from ([(text, "dim")] for text in wrap(more, options.width))


def _links(rule: Rule) -> tuple[str, ...]:
    """The first addresses; that of a rule of a pack is one of its references."""
    return (rule.references if rule.pack else (rule.url, *rule.references))[:_LINKS]


def _part(part: Part, options: RenderOptions) -> Iterator[Line]:
    match part:
        case Prose(text):
            yield from _prose(text, options.width)
        case Messages(variants):
            yield from _messages(variants, options.width)
        case Examples(examples, shown=True):
            for example in examples:
                yield from _example(example, options)
        case Examples(examples):
            yield from _titles(examples, options.width)
        case Addresses(urls):
            yield from ([(url, "")] for url in urls)


def _prose(text: str, width: int) -> Iterator[Line]:
    return ([(line, "")] for line in reflow(text, width))


def _messages(variants: Sequence[Variant], width: int) -> Iterator[Line]:
    """One message per variant, with its severity and its remedy."""
    for variant in variants:
        style = variant.severity.value
        name = grade(variant)
        first, *rest = wrap(spoken(variant.message), width - len(name) - 2)
        yield [(f"{name}:", style), (f" {first}", "")]
        for text in rest:
            yield [(" " * (len(name) + 2) + text, "")]
        for text in wrap(spoken(variant.help), width - 4) if variant.help else ():
            yield [("    " + text, "dim")]


def _example(example: Example, options: RenderOptions) -> Iterator[Line]:
    """The code with the reported lines pointed at, then what the fix changes in it."""
    if example.title:
        yield from _prose(example.title, options.width)
        yield []
    lines = list(pointed(example.code))
    size = len(str(len(lines)))
    for number, (code, mark) in enumerate(lines, 1):
        pointer = [("# <-- ", "dim"), (mark, "error")] if mark else []
        yield [(f"{number:>{size}} | ", "gutter"), (code, ""), *pointer]
    if example.fixed is not None:
        yield [(after_fix(example), "")]
        edits = minidiff.compare(unmarked(example.code), unmarked(example.fixed))
        yield from minidiff.draw(list(edits), Frame("", size, options.width, options.code_width))


def _titles(examples: Sequence[Example], width: int) -> Iterator[Line]:
    for example in examples:
        first, *rest = wrap(example.title, width - 2)
        yield [(f"- {first}", "")]
        for text in rest:
            yield [(f"  {text}", "")]
