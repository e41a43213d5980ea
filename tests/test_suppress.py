"""Which findings a comment silences, which comments are complained about, and what their fix leaves."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlint import catalogue
from memlint.engine import suppress
from memlint.finding import Finding, Severity, Span
from memlint.source.text import apply_edits

KNOWN = {"MEM002", "MEM101", "MEM201", "MEM401", "MTF101"}
RULES = [rule for rule in catalogue.load() if rule.code in KNOWN]


def finding(line: int, code: str = "MEM101") -> Finding:
    return Finding(code, "x", Severity.WARNING, "text", "train.py", Span(line, 1, line, 2), "")


def parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def silenced(text: str, code: str = "MEM101") -> list[int]:
    """The lines of `text` on which a finding with `code` would be silenced."""
    comments = suppress.collect(text, parse(text), RULES)
    lines = range(1, text.count("\n") + 2)
    return [line for line in lines if not suppress.silence([finding(line, code)], comments)[0]]


def complaints(text: str, *findings: Finding, ran: set[str] = KNOWN) -> list[suppress.Meta]:
    comments = suppress.collect(text, parse(text), RULES)
    _, used = suppress.silence(findings, comments)
    return list(suppress.complaints(comments, used, ran, text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = 1\nb = 2  # memlint: ignore[MEM101] small\nc = 3\n", [2]),
        ("b = f(\n    1,\n    2,\n)  # memlint: ignore[MEM101]\nc = 3\n", [1, 2, 3, 4]),
        ("b = f(  # memlint: ignore[MEM101]\n    1,\n)\nc = 3\n", [1, 2, 3]),
        ("b = f(\n    # memlint: ignore[MEM101]\n    1,\n)\nc = 3\n", [1, 2, 3, 4]),
        ("# memlint: ignore[MEM101] why\nb = f(\n    1,\n)\nc = 3\n", [1, 2, 3, 4]),
        ("# memlint: ignore[MEM101] why\n\n# another remark\nb = 1\nc = 3\n", [1, 2, 3, 4]),
        ("# memlint: ignore[MEM101]\nfor x in y:\n    a\n    b\nelse:\n    c\nd = 1\n", [1, 2, 3, 4, 5, 6]),
        ("for x in f(\n    1,\n):  # memlint: ignore[MEM101]\n    a\nd = 1\n", [1, 2, 3]),
        ("for x in y:\n    # memlint: ignore[MEM101]\n    a\n    b\n", [2, 3]),
        ("# memlint: ignore[MEM101]\n@d\ndef f():\n    return 1\nx = 1\n", [1, 2, 3, 4]),
        ("@d  # memlint: ignore[MEM101]\ndef f():\n    return 1\n", [1, 2]),
        ("match x:  # memlint: ignore[MEM101]\n    case 1:\n        a\n", [1]),
        ("if x: a = 1  # memlint: ignore[MEM101]\nb = 1\n", [1]),
        ("a = f(\n    1,\n); b = 2; c = 3  # memlint: ignore[MEM101]\nd = 1\n", [1, 2, 3]),
        ("# memlint: ignore[MEM101]\na = 1; b = f(\n    2,\n)\nc = 3\n", [1, 2, 3, 4]),
        ("a = 1; b = 2  # memlint: ignore[MEM101]\nc = 3\n", [1]),
        ("a = 1\n# memlint: file-ignore[MEM101] generated\nb = 2\n", [1, 2, 3, 4]),
        ("a = 1  # noqa: MEM101\nb = 2  # NOQA:E501,MEM101 because\n", [1, 2]),
        ("a = 1  # type: ignore  # memlint: ignore[mem101, MEM201] why\n", [1]),
        ("a = 1\n# memlint: ignore[MEM101] at the end\n", [2, 3]),
    ],
)
def test_the_lines_that_a_comment_silences(text: str, lines: list[int]) -> None:
    assert silenced(text) == lines
    assert silenced(text, "MEM401") == []


@pytest.mark.parametrize(
    "text",
    [
        's = "# memlint: ignore[MEM101]"\n',
        '"""\n# memlint: file-ignore[MEM101]\n"""\nx = 1\n',
        'f"""{x}\n# noqa: MEM101\n"""\n',
        "a = 1  # noqa\n",
        "a = 1  # memlint: ignore\n",
        "a = 1  # memlint: ignore[]\n",
        "a = 1  # memlint: allow[MEM101]\n",
        "a = 1  # see memlint and ignore[MEM101]\n",
    ],
)
def test_what_is_no_suppression(text: str) -> None:
    assert silenced(text) == []


def test_a_file_that_is_no_python_keeps_the_comments_before_the_error() -> None:
    assert silenced("a = 1  # memlint: ignore[MEM101]\nb = (\n") == [1]
    assert silenced("  a = 1  # memlint: ignore[MEM101]\n b\n") == [1]


@pytest.mark.parametrize(
    ("comment", "problem", "hint"),
    [
        ("memlint: ignore", "a suppression needs a code", "ignore[MEM101] reason"),
        ("memlint: ignore[]", "a suppression needs a code", "ignore[MEM101] reason"),
        ("memlint: file-ignore", "a suppression needs a code", "file-ignore[MEM101] reason"),
        ("memlint: ignroe[MEM101]", "unknown directive `memlint: ignroe`", "ignore[CODE]"),
        ("memlint: ignore[MEM102]", "no rule has the code `MEM102`", "did you mean MEM"),
        ("memlint: ignore[mem1]", "no rule has the code `mem1`", "takes no prefix"),
        (
            "memlint: ignore[loss-graph-accumulation]",
            "no rule has the code `loss-graph-accumulation`",
            "write its code, MEM101",
        ),
        ("memlint: ignore[E501]", "no rule has the code `E501`", "--all"),
        ("noqa: E501, MEM999", "no rule has the code `MEM999`", ""),
    ],
)
def test_invalid_comments_say_what_to_write(comment: str, problem: str, hint: str) -> None:
    (complaint,) = complaints(f"a = 1  # {comment}\n")
    assert complaint.code == "MEM003"
    assert complaint.values["problem"] == problem
    assert hint in complaint.values["hint"]


@pytest.mark.parametrize("comment", ["noqa: E501", "noqa", "noqa: E501, F401 memlint", "plain"])
def test_comments_of_other_tools_are_left_alone(comment: str) -> None:
    assert complaints(f"a = 1  # {comment}\n") == []


def test_only_unused_codes_of_rules_that_ran_are_reported() -> None:
    text = "a = 1  # memlint: ignore[MEM101, MEM201, MEM401] why\n"
    (complaint,) = complaints(text, finding(1), ran={"MEM101", "MEM201"})
    assert (complaint.code, complaint.values) == ("MEM002", {"codes": "`MEM201`"})
    assert complaints(text, finding(1), ran={"MEM101"}) == []
    assert complaints("a = 1  # memlint: ignore[MEM101, MEM002] kept on purpose\n") == []


def test_two_comments_over_one_finding_are_both_used() -> None:
    assert complaints("# memlint: file-ignore[MEM101]\na = 1  # noqa: MEM101\n", finding(2)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1  # memlint: ignore[MEM101] why\nb\n", "a = 1\nb\n"),
        ("a = 1  # memlint: ignore[MEM101, MEM401] why\n", "a = 1  # memlint: ignore[MEM401] why\n"),
        ("    # memlint: ignore[MEM101] why\n    b\n", "    b\n"),
        ("b\n# memlint: ignore[MEM101]", "b\n"),
        ("a  # type: ignore  # memlint: ignore[MEM101]\n", "a  # type: ignore\n"),
        ("a  # memlint: ignore[MEM101] why  # type: ignore\n", "a  # type: ignore\n"),
        ("a  # noqa: E501, MEM101 long\n", "a  # noqa: E501 long\n"),
        ("a  # noqa: MEM101\n", "a\n"),
        ("a  # noqa: MEM101 and a remark\n", "a  # and a remark\n"),
        ("a  # memlint: ignore[MEM101]\r\nb\r\n", "a\r\nb\r\n"),
        ("# memlint: file-ignore[MEM101]\r\nb\r\n", "b\r\n"),
    ],
)
def test_the_fix_deletes_what_is_unused_and_nothing_else(before: str, after: str) -> None:
    text = before.replace("    ", "if x:\n    ", 1) if before.startswith("    ") else before
    wanted = after.replace("    ", "if x:\n    ", 1) if after.startswith("    ") else after
    (complaint,) = complaints(text, ran={"MEM101"})
    assert complaint.fix is not None
    assert apply_edits(text, list(complaint.fix.edits)) == wanted


@given(st.text(alphabet="ab=()[]{}'\"\\\n\r\t\f #:,", max_size=40), st.text(max_size=30))
def test_no_text_crashes_it(code: str, comment: str) -> None:
    text = f"{code}\nx = 1  # memlint: {comment}\n# noqa: MEM101{comment}"
    for complaint in complaints(text):
        if complaint.fix is not None:
            assert apply_edits(text, list(complaint.fix.edits)) != text
