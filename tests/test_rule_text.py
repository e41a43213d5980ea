"""The grid under the text report, and the page and list that `memlint rule` prints."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from memlint import catalogue
from memlint.catalogue import Rule, Variant
from memlint.examples import Example
from memlint.finding import Claim, Severity
from memlint.report.layout import cells, clean, width_of, window, wrap
from memlint.report.rule.markdown import render_page
from memlint.report.rule.page import reflow
from memlint.report.rule.text import render_list, render_rule
from memlint.report.summary import RenderOptions

Golden = Callable[[str, str], None]
ANSI = re.compile(r"\x1b\[[0-9;]*m")

# --- layout


def test_window_shows_the_focus_and_places_it() -> None:
    line = "".join(f"{n:03d}" for n in range(100))
    for limit in (40, 117):
        for column in range(0, 300, 7):
            view = window(line, (column, column + 5), limit)
            assert width_of(view.text) <= limit
            assert view.text[view.place(column) : view.place(column + 5)] == line[column : column + 5]


def test_window_cuts_through_wide_characters_without_shifting() -> None:
    line = "損" * 100
    for column in range(0, 200, 2):
        view = window(line, (column, column + 2), 41)
        assert width_of(view.text) <= 41
        before = "".join(char for char in view.text)[: len(view.text)]
        position = view.place(column)
        shown = [
            at_ for at_, char in enumerate(before) if width_of(before[:at_]) == position and char == "損"
        ]
        assert len(shown) == 1


def test_cells_expand_tabs_to_stops_and_count_wide_characters() -> None:
    grid = cells("\ta\t損e\u0301x")
    assert grid.text == "    a   損e\u0301x"
    assert [grid.column(n) for n in range(1, 9)] == [0, 4, 5, 8, 10, 11, 11, 12]


def test_wrap_keeps_code_together() -> None:
    assert wrap("call `a b c` now", 9) == ["call", "`a b c`", "now"]
    assert wrap("call `a b c d e f` now", 8) == ["call `a", "b c d e", "f` now"]
    assert wrap("損失 損失 損失", 9) == ["損失 損失", "損失"]
    assert wrap("", 10) == [""]
    assert wrap("unbreakable", 4) == ["unbreakable"]


def test_clean_leaves_letters_alone() -> None:
    assert clean("é損\u0301 שלום a\u202eb\x07") == "é損\u0301 שלום a\ufffdb\ufffd"


# --- rules

BAD = Example(
    "import torch\n\nfor x in loader:\n    total += loss  #! MEM101 warning\n",
    "the classic running loss",
    "import torch\n\nfor x in loader:\n    total += loss.detach()\n",
)
GOOD = Example("x", "item() takes the number out of the graph, so that nothing is left for the sum to keep")
RULE = Rule(
    code="MEM101",
    name="loss-graph-accumulation",
    summary="a running sum takes in loss tensors together with their autograd graphs, step after step",
    certainty="certain",
    since="0.1.0",
    frameworks=("torch", "lightning"),
    fix="safe",
    fix_safety="The sum is the same to the last bit.",
    explanation=(
        "A loss tensor is more than a number: it holds the graph that leads back to the\nparameters.\n\n"
        "* first case: all of it stays, which makes the list item so long that it has\n  to be wrapped\n"
        "* second case\n\n    verbatim(  code,  here )\n\n```\nfenced   code\n```\n"
    ),
    known_limits="Sums of another file.",
    references=("https://docs.pytorch.org/docs/stable/notes/faq.html",),
    requires_torch=">=2.0",
    detector="loss_graph_accumulation",
    variants={
        "default": Variant(
            Severity.WARNING,
            "`{target}` keeps the autograd nodes of every step's `{value}` in host memory",
            "why",
            "add `.detach()`: the same sum to the last bit, and nothing waits for the GPU in the meantime",
            Claim("GROWTH-HOST", "N × 535 B of host RAM per step (N autograd nodes of one step)"),
        ),
        "unreached": Variant(Severity.ERROR, "`{target}` keeps the whole graph", "why", "", None),
    },
    gate=(),
    matches=(),
    path=Path("rules/MEM101-loss-graph-accumulation.toml"),
    bad=(BAD, Example("x  #! MEM101", "in a closure")),
    good=(GOOD,),
)


def rule_page(rule: Rule, *, color: bool = False, full: bool = True) -> str:
    out = io.StringIO()
    render_rule(rule, out, RenderOptions(color=color, full=full))
    return out.getvalue()


def test_a_rule_fits_on_one_screen() -> None:
    for rule in catalogue.load():
        lines = rule_page(rule, full=False).splitlines()
        assert len(lines) <= 40, f"{rule.code}: {len(lines)} lines"
        for before, after in pairwise(filter(None, lines)):
            assert after != "Example" or not before.endswith(":"), f"{rule.code}: {before}"
        assert rule.summary[:20] in lines[1]
        assert lines[-1].startswith(f"memlint rule {rule.code} --full")


def test_rule_page(golden: Golden) -> None:
    golden("reports/rule.txt", rule_page(RULE))
    assert ANSI.sub("", rule_page(RULE, color=True)) == rule_page(RULE)
    assert max(map(len, rule_page(RULE).splitlines())) <= 80


def test_rule_page_leaves_out_what_the_rule_does_not_have() -> None:
    bare = replace(
        RULE,
        fix="none",
        fix_safety="",
        known_limits="",
        references=(),
        requires_torch="",
        bad=(Example("x  #! MEM101\n"),),
        good=(),
        variants={"default": RULE.variants["unreached"]},
    )
    page = rule_page(bare)
    headings = [line for line in page.splitlines() if line[:1].isupper()]
    for absent in ("Also reported", "Not reported", "Is the fix safe?", "Known limits", "References"):
        assert absent in rule_page(RULE)
        assert absent not in headings
    assert "claim" not in page
    assert "After `memlint check" not in page


def test_rule_list() -> None:
    out = io.StringIO()
    render_list([RULE], out, RenderOptions(width=60))
    assert out.getvalue() == (
        "MEM101  warning  loss-graph-accumulation  [*]\n"
        "        a running sum takes in loss tensors together with\n"
        "        their autograd graphs, step after step\n"
        "\n"
        "1 rule. [*] can be fixed with --fix. `memlint rule CODE`\n"
        "explains one.\n"
    )


def test_reflow_keeps_tables_and_numbered_lists() -> None:
    assert reflow("1. one\n   two\n2. three\n| a | b |\ntail", 80) == [
        "1. one two",
        "2. three",
        "| a | b |",
        "tail",
    ]


def test_braces_of_code_in_a_message_are_shown_once() -> None:
    told = "keep `{{k: v.cpu() for k, v in {model}.state_dict().items()}}`"
    rule = replace(RULE, variants={"default": Variant(Severity.ERROR, "`{target}` is live", "", told, None)})
    text = "keep `{k: v.cpu() for k, v in {model}.state_dict().items()}`"
    assert text in rule_page(rule)
    assert text in render_page(rule)
