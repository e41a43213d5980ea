"""The generated pages: current, saying what `memlint rule CODE` says, and sound Markdown."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memlint import catalogue
from memlint.catalogue import Rule
from memlint.report.rule.markdown import GROUPS, render_index, render_page
from memlint.report.rule.page import ITEM, facts, grade, reflow, sections, spoken, unmarked
from memlint.report.rule.text import render_rule
from memlint.report.summary import RenderOptions
from tools import rule_docs

RULES = catalogue.load()
PAGE = Path("docs", "rules", "MEM101.md")


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def squeezed(text: str) -> str:
    """The text without what wrapping, marking up and the start of a sentence change."""
    return re.sub(r"[\s`]", "", text).lower()


def seen(tokens: list[Token]) -> str:
    """What a reader sees of a page."""
    inner = (child.content for token in tokens for child in token.children or ())
    return squeezed("".join(inner) + "".join(token.content for token in tokens if token.type == "fence"))


def said(rule: Rule) -> Iterator[str]:
    """Every text that both pages must show, line by line."""
    yield from (rule.name, rule.summary, *rule.references)
    yield from (value for _, value in facts(rule))
    for variant in rule.variants.values():
        yield from (grade(variant), spoken(variant.message), spoken(variant.help))
    for prose in (rule.explanation, rule.fix_safety, rule.known_limits):
        for line in reflow(prose, 1_000_000):
            if not line.startswith("```"):
                yield ITEM.sub("", line, count=1) if ITEM.match(line) else line
    yield from (example.title for example in (*rule.bad, *rule.good))
    yield from (unmarked(example.code)[0] for example in rule.bad[:1])


def test_the_generated_files_are_current() -> None:
    assert [path.as_posix() for path in rule_docs.stale(rule_docs.ROOT)] == []


def test_stale_files_are_named_and_written_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule_docs.write(tmp_path)
    assert rule_docs.main(["--check"], tmp_path) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / PAGE).write_text("changed by hand")
    (tmp_path / "rules" / "README.md").unlink()
    (tmp_path / "docs" / "rules" / "MEM000.md").write_text("a rule that is gone")
    assert rule_docs.main(["--check"], tmp_path) == 1
    answer = capsys.readouterr()
    assert answer.out.splitlines() == [
        "stale: docs/rules/MEM000.md",
        "stale: docs/rules/MEM101.md",
        "stale: rules/README.md",
    ]
    assert "python -m tools.rule_docs" in answer.err
    assert (tmp_path / PAGE).read_text() == "changed by hand"
    assert rule_docs.main([], tmp_path) == 0
    assert rule_docs.stale(tmp_path) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_and_terminal_say_the_same(rule: Rule) -> None:
    out = io.StringIO()
    render_rule(rule, out, RenderOptions(full=True))
    terminal, page = squeezed(out.getvalue()), seen(parsed(render_page(rule)))
    for text in said(rule):
        assert squeezed(text) in terminal
        assert squeezed(text) in page


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_is_markdown_that_means_what_it_says(rule: Rule) -> None:
    tokens = parsed(render_page(rule))
    inner = [child for token in tokens for child in token.children or ()]
    headings = [after.content for token, after in pairwise(tokens) if token.tag == "h2"]
    assert [title for title in headings if title] == [title for title, _ in sections(rule)]
    assert [t.content for t in tokens if t.type in ("html_block", "code_block")] == [
        "<!-- Made from the rule files by `python -m tools.rule_docs`; edits here are lost. -->\n"
    ]
    assert {child.type for child in inner} <= {
        *("text", "text_special", "code_inline", "strong_open", "strong_close", "link_open", "link_close")
    }
    assert sum(child.type == "strong_open" for child in inner) == len(rule.variants)
    linked = [child.attrs["href"] for child in inner if child.type == "link_open"]
    assert linked == [*rule.references]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_shows_the_first_example_in_full_and_stays_short(rule: Rule) -> None:
    page = render_page(rule)
    assert page.count("\n") <= 100
    shown = [unmarked(token.content.replace("# <-- ", "#! ")) for token in parsed(page)]
    for example in rule.bad[:1]:
        assert unmarked(example.code) in shown


def test_the_readme_names_every_group_of_rules() -> None:
    readme = (rule_docs.ROOT / "README.md").read_text(encoding="utf-8")
    about = re.findall(r"^\| (MEM\dxx|MTF) \| ([^|]+) \|", readme, re.MULTILINE)
    used = {GROUPS[code]: code for rule in RULES for code in GROUPS if rule.code.startswith(code)}
    about.append(("MEM0xx", GROUPS["MEM0"]))
    assert {title: code.removesuffix("xx") for code, title in about} == used


def test_the_site_has_the_rules_of_every_family_in_its_navigation() -> None:
    site = (rule_docs.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +- (\w+) ([\w-]+): rules/\1\.md$", site, re.MULTILINE)
    assert entries == [(rule.code, rule.name) for rule in RULES]


def test_index_lists_every_rule_once_below_its_group() -> None:
    index = render_index(RULES, "../docs/rules/")
    rows = re.findall(r"^\| \[(\w+)\]\(\.\./docs/rules/\1\.md\) \| ([\w-]+) \|", index, re.MULTILINE)
    assert rows == [(rule.code, rule.name) for rule in RULES]
    headings = re.findall(r"^## (.*)$", index, re.MULTILINE)
    assert headings == [title for title in GROUPS.values() if title in headings]
    assert sum(token.type == "table_open" for token in parsed(index)) == len(headings)
