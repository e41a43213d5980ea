"""Applying fixes to a fixed point, with made-up rules: each is a pattern of the text and a rewrite."""

from __future__ import annotations

import ast
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlint import catalogue
from memlint.edit.apply import PASSES, fix_text, unified_diff
from memlint.engine import check as engine
from memlint.finding import Applicability, Edit, FileReport, Finding, Fix, Severity, Span
from memlint.report.summary import summarise

SAFE, UNSAFE, DISPLAY, REPAIR = (
    Applicability.SAFE,
    Applicability.UNSAFE,
    Applicability.DISPLAY,
    Applicability.REPAIR,
)
Rule = Callable[[str], list[Finding]]


def span(text: str, begin: int, end: int) -> Span:
    def place(offset: int) -> tuple[int, int]:
        return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)

    return Span(*place(begin), *place(end))


def fix(*edits: Edit, applicability: Applicability = SAFE) -> Fix:
    return Fix(applicability, "fix it", edits)


def rule(
    code: str, pattern: str, new: str, *, applicability: Applicability = SAFE, top: str = "", tag: str = ""
) -> Rule:
    """A rule that reports each match of `pattern` and rewrites it; `top` is a line to add at the top."""

    def run(text: str) -> list[Finding]:
        found = []
        for match in re.finditer(pattern, text):
            where = span(text, *match.span())
            edits = [Edit(where, match.expand(new))]
            if top and top not in text:
                edits.append(Edit(Span(1, 1, 1, 1), top))
            mark = f"{match[0]}/{sum(f.message == match[0] for f in found)}"
            repaired = fix(*edits, applicability=applicability)
            found.append(Finding(code, tag, Severity.ERROR, match[0], "t.py", where, mark, fix=repaired))
        return found

    return run


def checks(*rules: Rule) -> Callable[[str], Sequence[Finding]]:
    return lambda text: [finding for one in rules for finding in one(text)]


def codes(findings: Sequence[Finding]) -> list[str]:
    return [finding.code for finding in findings]


ACCUMULATE = rule("MEM101", r"(?m)\+= (\w+)(?=\s|$)", r"+= \1.detach()")


def test_every_fix_is_applied_and_a_second_run_changes_nothing() -> None:
    text = "total += loss\nother += loss  # twice\n"
    got = fix_text(text, "t.py", ACCUMULATE, unsafe=False)
    assert got.text == "total += loss.detach()\nother += loss.detach()  # twice\n"
    assert codes(got.applied) == ["MEM101", "MEM101"]
    assert (got.refused, got.left_out) == ("", ())
    again = fix_text(got.text, "t.py", ACCUMULATE, unsafe=False)
    assert (again.text, again.applied, again.refused) == (got.text, (), "")


def test_a_text_without_findings_is_not_judged() -> None:
    assert fix_text("def f(:", "t.py", checks(), unsafe=True).text == "def f(:"


@pytest.mark.parametrize(
    ("applicability", "unsafe", "expected"),
    [
        (SAFE, False, "b"),
        (REPAIR, False, "b"),
        (UNSAFE, False, "a"),
        (UNSAFE, True, "b"),
        (DISPLAY, True, "a"),
    ],
)
def test_only_allowed_fixes_are_applied(applicability: Applicability, unsafe: bool, expected: str) -> None:
    got = fix_text("a\n", "t.py", rule("MEM1", "a", "b", applicability=applicability), unsafe=unsafe)
    assert (got.text, len(got.applied)) == (f"{expected}\n", expected == "b")


@pytest.mark.parametrize(
    ("main", "expected"),
    [(SAFE, "other"), (REPAIR, "main"), (UNSAFE, "main"), (DISPLAY, "other"), (None, "other")],
)
def test_an_unsafe_alternative_stands_in_for_a_safe_fix_and_for_one_that_may_not_be_applied(
    main: Applicability | None, expected: str
) -> None:
    def check(text: str) -> list[Finding]:
        if text != "a\n":
            return []
        where = Span(1, 1, 1, 2)
        first = fix(Edit(where, "main"), applicability=main) if main else None
        others = (
            fix(Edit(where, "shown"), applicability=DISPLAY),
            fix(Edit(where, "other"), applicability=UNSAFE),
        )
        return [Finding("MEM1", "", Severity.ERROR, "m", "t.py", where, "f", fix=first, alternatives=others)]

    got = fix_text("a\n", "t.py", check, unsafe=True)
    assert (got.text, len(got.applied)) == (f"{expected}\n", 1)
    careful = fix_text("a\n", "t.py", check, unsafe=False)
    assert careful.text == ("main\n" if main in (SAFE, REPAIR) else "a\n")


@pytest.mark.parametrize(("severity", "fixed"), [(Severity.ADVICE, True), (Severity.WARNING, False)])
def test_advice_that_a_fix_brings_up_does_not_refuse_it(severity: Severity, fixed: bool) -> None:
    def check(text: str) -> list[Finding]:
        if text == "a\n":
            return rule("MEM1", "a", "b")(text)
        return [replace(finding, severity=severity, fix=None) for finding in rule("MEM2", "b", "")(text)]

    got = fix_text("a\n", "t.py", check, unsafe=False)
    assert (got.text, bool(got.refused)) == (("b\n", False) if fixed else ("a\n", True))


ITEM = """import torch

def train(model, loader, optimizer, criterion):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss
    print(f"{total / len(loader):.3f}")
"""


@pytest.mark.parametrize(("unsafe", "call"), [(False, "detach"), (True, "item")])
def test_a_sum_that_is_a_number_takes_item_where_unsafe_fixes_are_allowed(unsafe: bool, call: str) -> None:
    known = frozenset(rule.code for rule in catalogue.load())

    def check(text: str) -> Sequence[Finding]:
        return engine.check(text, "t.py", engine.Checks(known, frozenset(), "t.py")).findings

    before = summarise([FileReport("t.py", tuple(check(ITEM)))])
    assert (before.fixable, before.fixable_unsafe) == (1, 0)
    got = fix_text(ITEM, "t.py", check, unsafe=unsafe)
    assert got.text == ITEM.replace("+= loss", f"+= loss.{call}()")
    assert [f.code for f in got.applied] == ["MEM101"]
    assert fix_text(got.text, "t.py", check, unsafe=True).text == got.text


def test_the_first_of_two_overlapping_fixes_wins_and_the_other_is_looked_at_again() -> None:
    check = checks(rule("MEM2", r"b\(c\)", "d"), rule("MEM1", r"a\(b\(c\)\)", "e(b(c))"))
    got = fix_text("a(b(c))\n", "t.py", check, unsafe=False)
    assert got.text == "e(d)\n"
    assert codes(got.applied) == ["MEM1", "MEM2"]


def test_the_same_insertion_is_made_once() -> None:
    got = fix_text("x = a\ny = a\n", "t.py", rule("MEM1", "a", "b", top="import b\n"), unsafe=False)
    assert got.text == "import b\nx = b\ny = b\n"
    assert len(got.applied) == 2


def test_different_insertions_at_one_place_wait_for_the_next_pass() -> None:
    check = checks(rule("MEM1", "a", "c", top="import c\n"), rule("MEM2", "b", "d", top="import d\n"))
    got = fix_text("x = a\ny = b\n", "t.py", check, unsafe=False)
    assert got.text == "import d\nimport c\nx = c\ny = d\n"


def test_what_two_fixes_take_away_goes_with_one_of_them() -> None:
    def moves(code: str, below: int) -> Rule:
        def run(text: str) -> list[Finding]:
            if not text.startswith("a\n"):
                return []
            where = Span(below, 1, below, 1)
            repaired = fix(Edit(Span(1, 1, 2, 1), ""), Edit(where, "a\n"))
            return [Finding(code, "", Severity.ERROR, code, "t.py", Span(1, 1, 1, 2), code, fix=repaired)]

        return run

    got = fix_text("a\nb\nc\nd\n", "t.py", checks(moves("MEM1", 3), moves("MEM2", 4)), unsafe=False)
    assert (got.text, codes(got.applied)) == ("b\na\nc\nd\n", ["MEM1"])


def test_an_import_goes_with_the_last_of_several_uses() -> None:
    check = rule("MEM1", r"gc\.collect\(\)\n", "")
    text = "import gc\n\nx = 1\ngc.collect()\ny = 2\ngc.collect()\n"
    got = fix_text(text, "t.py", check, unsafe=False)
    assert got.text == "x = 1\ny = 2\n"
    assert fix_text(text, "t.ipynb", check, unsafe=False).text == "import gc\n\nx = 1\ny = 2\n"
    assert fix_text(got.text, "t.py", check, unsafe=False).text == got.text


def test_newlines_and_the_missing_last_one_are_kept() -> None:
    got = fix_text("a += b\r\n\r\nc += d", "t.py", ACCUMULATE, unsafe=False)
    assert got.text == "a += b.detach()\r\n\r\nc += d.detach()"


def test_fixes_that_feed_each_other_are_given_up() -> None:
    check = checks(rule("MEM1", r"\ba\b", "b"), rule("MEM2", r"\bb\b", "a"))
    got = fix_text("a\n", "t.py", check, unsafe=False)
    assert (got.text, got.applied) == ("a\n", ())
    assert "internal error: the fixes keep changing the file" in got.refused


def test_a_chain_of_as_many_passes_as_allowed_settles() -> None:
    got = fix_text("a\n", "t.py", rule("MEM1", rf"\ba{{1,{PASSES}}}\b", r"\g<0>a"), unsafe=False)
    assert got.text == "a" * (PASSES + 1) + "\n"
    endless = fix_text("a\n", "t.py", rule("MEM1", r"\ba+\b", r"\g<0>a"), unsafe=False)
    assert "the fixes keep changing the file" in endless.refused


def _stubborn(text: str) -> list[Finding]:
    where = Span(1, 1, 1, 1)
    return [Finding("MEM1", "", Severity.ERROR, "m", "t.py", where, "f", fix=fix(Edit(where, "z = 1; ")))]


REFUSED = {
    "does not compile": ("a\n", rule("MEM1", "a", "def"), "would not compile"),
    "compiles no more although it parses": ("a\n", rule("MEM1", "a", "return"), "would not compile"),
    "loses a comment": ("a  # why\n", rule("MEM1", "a .*", "b"), "would lose the comment `# why`"),
    "loses one of two equal comments": ("a # c\nb # c\n", rule("MEM1", "a .*", "d"), "lose the comment"),
    "still reported": ("x = a\n", _stubborn, "t.py:1: MEM1 is still reported after its fix"),
    "brings up another finding": (
        "a\n",
        checks(rule("MEM1", "a", "b"), rule("MEM2", "b", "b")),
        "would bring up MEM2: b",
    ),
}


@pytest.mark.parametrize(("text", "check", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_result_that_does_not_hold_is_not_given(text: str, check: Rule, reason: str) -> None:
    got = fix_text(text, "t.py", check, unsafe=False)
    assert (got.text, got.applied) == (text, ())
    assert reason in got.refused
    assert "\n" not in got.refused


def test_a_bad_fix_does_not_hold_up_the_others() -> None:
    check = checks(ACCUMULATE, rule("MEM2", "bad", "def"), rule("MEM3", "ugly  # c", "nice"))
    got = fix_text("a += b\nbad\nc += d\nugly  # c\n", "t.py", check, unsafe=False)
    assert got.text == "a += b.detach()\nbad\nc += d.detach()\nugly  # c\n"
    assert codes(got.applied) == ["MEM101", "MEM101"]
    assert codes(got.left_out) == ["MEM2", "MEM3"]
    assert got.reasons == ("the fixed text would not compile", "the fix would lose the comment `# c`")
    assert got.refused == ""


def test_fixes_that_are_wrong_only_together_are_made_one_by_one() -> None:
    def check(text: str) -> list[Finding]:
        alone = "a" not in text or "b" not in text
        return rule("MEM1", "(?m)^ [ab]$", " pass" if alone else "")(text)

    got = fix_text("if x:\n a\n b\n", "t.py", check, unsafe=False)
    assert (got.text, got.refused, got.left_out) == ("if x:\n\n pass\n", "", ())
    assert len(got.applied) == 2


def test_where_every_fix_is_bad_the_first_reason_is_given() -> None:
    check = checks(rule("MEM1", r"\(a", "a"), rule("MEM2", r"c\)", "c"))
    got = fix_text("x = (a) + (c)\n", "t.py", check, unsafe=False)
    assert (got.text, got.applied, got.left_out) == ("x = (a) + (c)\n", (), ())
    assert "not compile" in got.refused


def test_a_suppression_comment_may_go_with_the_fix_for_unused_ones_only() -> None:
    text = "a  # memlint: ignore[MEM1]\n"
    assert fix_text(text, "t.py", rule("MEM002", "  #.*", ""), unsafe=False).text == "a\n"
    assert fix_text(text, "t.py", rule("MEM1", "  #.*", ""), unsafe=False).text == text
    assert fix_text("a  # why\n", "t.py", rule("MEM002", "  #.*", ""), unsafe=False).text == "a  # why\n"


def test_the_second_of_two_equal_lines_takes_over_the_fingerprint_of_the_first() -> None:
    def check(text: str) -> list[Finding]:
        found = rule("MEM1", "(?m)^a$", "b")(text)
        return [f if f.span.line == 1 else Finding(*_plain(f)) for f in found]

    got = fix_text("a\na\n", "t.py", check, unsafe=False)
    assert (got.text, got.refused) == ("b\na\n", "")


def _plain(f: Finding) -> tuple[str, str, Severity, str, str, Span, str]:
    return f.code, f.name, f.severity, f.message, f.path, f.span, f.fingerprint


def test_a_finding_whose_fingerprint_moved_is_not_a_new_one() -> None:
    def check(text: str) -> list[Finding]:
        other = Finding("MEM9", "", Severity.ERROR, "stays", "t.py", Span(2, 1, 2, 2), text)
        return [*rule("MEM1", "a", "c")(text), other]

    assert fix_text("a\nb\n", "t.py", check, unsafe=False).text == "c\nb\n"


def test_a_file_that_only_libcst_reads_is_judged_by_libcst() -> None:
    text = "x = yield\nreturn a\n"
    assert fix_text(text, "t.py", rule("MEM1", "a", "b"), unsafe=False).text == "x = yield\nreturn b\n"
    assert "compile" in fix_text(text, "t.py", rule("MEM1", "a", "(b"), unsafe=False).refused


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_fixing_settles_for_any_mix_of_findings(pick: random.Random, crlf: bool) -> None:
    newline = "\r\n" if crlf else "\n"
    lines = [
        pick.choice(["t += a", "u(b(c))", "v  # x", "w; t += d", "if y: t += e  # z", ""]) for _ in range(8)
    ]
    check = checks(
        ACCUMULATE,
        rule("MEM2", r"b\(c\)", "g(c)", top=f"import g{newline}"),
        rule("MEM3", r"u\(", "h(", applicability=UNSAFE),
        rule("MEM4", r"u\(b", "u(i"),
    )
    text = newline.join(lines)
    unsafe = pick.random() < 0.5
    got = fix_text(text, "t.py", check, unsafe=unsafe)
    assert got.refused == ""
    ast.parse(got.text)
    assert got.text.count("\n") == got.text.count(newline)
    assert not [f for f in check(got.text) if f.fix and (unsafe or f.fix.applicability is SAFE)]
    assert fix_text(got.text, "t.py", check, unsafe=unsafe).text == got.text


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_a_check_refused_beside_other_fixes_is_tried_again_before_the_end(pick: random.Random) -> None:
    """`wait` becomes right once no `u(` is left, `late` once no `wait` is, `never` at no time."""
    choice = ["t += a", "u(c)", "wait", "late", "never", "v  # x", "", "if y: t += e  # z"]
    text = "\n".join(pick.choice(choice) for _ in range(7)) + "\n"

    def blocked(word: str, new: str, while_there: str) -> Rule:
        def run(text: str) -> list[Finding]:
            found = rule(f"MEM{word}", rf"\b{word}\b", new)(text)
            wrong = rule(f"ERR{word}", rf"\b{new}\b", new)(text) if while_there in text else []
            return [*found, *(replace(finding, fix=None) for finding in wrong)]

        return run

    check = checks(
        ACCUMULATE,
        rule("MEM3", r"u\(", "h("),
        blocked("wait", "went", "u("),
        blocked("late", "later", "wait"),
        blocked("never", "ever", ""),
    )
    got = fix_text(text, "t.py", check, unsafe=False)
    again = fix_text(got.text, "t.py", check, unsafe=False)
    assert (again.text, again.applied) == (got.text, ())
    left = {finding.code for finding in check(got.text) if finding.fix}
    assert left <= {"MEMnever"}
    assert ("never" in text) == bool(left)
    assert bool(left) == bool(got.left_out or got.refused)


DIFFS = {
    "a line": ("a\nb\n", "a\nc\n"),
    "no newline before": ("a\nb", "a\nb\n"),
    "no newline after": ("a\nb\n", "a\nb"),
    "no newline at all": ("a\nb", "a\nc"),
    "carriage returns": ("a\r\nb\r\n", "a\r\nc\r\n"),
    "odd line breaks": ("a\x0cb\u2028c\nd\n", "a\x0cb\u2028c\ne\n"),
}


@pytest.mark.parametrize(("old", "new"), DIFFS.values(), ids=DIFFS.keys())
def test_git_can_apply_the_diff(old: str, new: str, tmp_path: Path) -> None:
    target = tmp_path / "dir" / "t.py"
    target.parent.mkdir()
    target.write_bytes(old.encode())
    patch = unified_diff("dir/t.py", old, new)
    assert patch.startswith("--- a/dir/t.py\n+++ b/dir/t.py\n@@ ")
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=tmp_path, check=True)
    assert target.read_bytes() == new.encode()


@pytest.mark.parametrize("name", ["a b.py", "tab\tand\nline.py", 'say "x".py', "größe.py"])
@pytest.mark.parametrize("tool", [["git", "apply", "-"], ["patch", "-s", "-p1"]], ids=["git", "patch"])
def test_the_diff_finds_files_with_odd_names(name: str, tool: list[str], tmp_path: Path) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"no {tool[0]} here")
    (tmp_path / name).write_text("a\n", encoding="utf-8")
    subprocess.run(tool, input=unified_diff(name, "a\n", "b\n").encode(), cwd=tmp_path, check=True)
    assert (tmp_path / name).read_text(encoding="utf-8") == "b\n"


def test_no_change_gives_no_diff() -> None:
    assert unified_diff("t.py", "a\n", "a\n") == ""
