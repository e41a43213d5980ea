"""Planned changes turned into edits: the text before, the change, the text after."""

from __future__ import annotations

import ast
from inspect import cleandoc

import pytest

from memlint.analysis.match import (
    Decorate,
    InsertAfter,
    InsertBefore,
    Plan,
    Remove,
    Replace,
    Wrap,
)
from memlint.edit.lower import Refused, lay_out, lower_all
from memlint.finding import Applicability, Edit, Fix, Span
from tests.scripts import Changes, Script, after, fix_of

CASES: dict[str, tuple[str, Changes, str]] = {
    "replace an expression": (
        "total += loss  # sum\n",
        lambda s: Replace(s.expression("loss"), "loss.detach()"),
        "total += loss.detach()  # sum\n",
    ),
    "replace inside parentheses that stay": (
        "x = (loss)\n",
        lambda s: Replace(s.expression("(loss)"), "a + b"),
        "x = (a + b)\n",
    ),
    "a looser expression gets parentheses": (
        "x = a ** 2\n",
        lambda s: Replace(s.expression("a"), "b + c"),
        "x = (b + c) ** 2\n",
    ),
    "a call needs none": ("x = -a\n", lambda s: Replace(s.expression("a"), "f(b)"), "x = -f(b)\n"),
    "a tuple as argument gets parentheses": (
        "f(a, b)\n",
        lambda s: Replace(s.small("f(").value.args[0].value, "c, d"),  # type: ignore[attr-defined]
        "f((c, d), b)\n",
    ),
    "replace an argument without its comma": (
        "f(\n    a=1,  # one\n    b=2,\n)\n",
        lambda s: Replace(s.small("f(").value.args[0], "a=4"),  # type: ignore[attr-defined]
        "f(\n    a=4,  # one\n    b=2,\n)\n",
    ),
    "replace a line by two": (
        "if a:\n\tb()  # why\n",
        lambda s: Replace(s.statement("b()"), "c()\nd()"),
        "if a:\n\tc()\n\td()  # why\n",
    ),
    "replace a line by lines with an empty one between them": (
        "if a:\n    b()\n",
        lambda s: Replace(s.statement("b()"), "c()\n\nd()"),
        "if a:\n    c()\n\n    d()\n",
    ),
    "replace one of two on a line by two lines": (
        "a; b; c\n",
        lambda s: Replace(s.small("b"), "d\ne"),
        "a\nd\ne\nc\n",
    ),
    "replace a compound statement": (
        "if a:\n    with b:\n        c\nd\n",
        lambda s: Replace(s.statement("with b"), "with e:\n    f"),
        "if a:\n    with e:\n        f\nd\n",
    ),
    "insert before, above the decorators": (
        "# note\n@a\n@b\ndef f():\n    pass\n",
        lambda s: InsertBefore(s.statement("@a"), "x = 1"),
        "# note\nx = 1\n@a\n@b\ndef f():\n    pass\n",
    ),
    "insert before, above the comment that speaks of the statement": (
        "a\nfor b in c:\n    d\n    # why\n    # and how\n    e()\n",
        lambda s: InsertBefore(s.statement("e()"), "f()"),
        "a\nfor b in c:\n    d\n    f()\n    # why\n    # and how\n    e()\n",
    ),
    "insert before, below a comment that stands apart": (
        "a\n# apart\n\n# why\nb\n",
        lambda s: InsertBefore(s.statement("b"), "c"),
        "a\n# apart\n\nc\n# why\nb\n",
    ),
    "insert before, below the comment that closes a deeper block": (
        "if a:\n    b\n    # done\nc\n",
        lambda s: InsertBefore(s.statement("c"), "d"),
        "if a:\n    b\n    # done\nd\nc\n",
    ),
    "insert before, below a divider and a note to a tool": (
        "a\n# -----\nb\n# fmt: off\nc\n",
        lambda s: (InsertBefore(s.statement("b"), "d"), InsertBefore(s.statement("c"), "e")),
        "a\n# -----\nd\nb\n# fmt: off\ne\nc\n",
    ),
    "insert before the first statement, below what heads the file": (
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# (c) me\na\n",
        lambda s: InsertBefore(s.statement("a"), "b"),
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# (c) me\nb\na\n",
    ),
    "insert before with the line above": (
        "a\n# of b\nb\n",
        lambda s: (InsertAfter(s.statement("a"), "c"), InsertBefore(s.statement("b"), "d")),
        "a\nc\nd\n# of b\nb\n",
    ),
    "insert a block in a block of tabs": (
        "for a in b:\n\tc()\n",
        lambda s: InsertBefore(s.statement("c()"), "if d:\n    e()\n\n    f()"),
        "for a in b:\n\tif d:\n\t\te()\n\n\t\tf()\n\tc()\n",
    ),
    "insert after a trailing comment": (
        "for a in b:\n  c()  # d\n  e()\n",
        lambda s: InsertAfter(s.statement("c()"), "f()"),
        "for a in b:\n  c()  # d\n  f()\n  e()\n",
    ),
    "insert after the comment that closes a block": (
        "for a in b:\n    c()\n\n    # done\nd()\n",
        lambda s: InsertAfter(s.statement("for"), "e()"),
        "for a in b:\n    c()\n\n    # done\ne()\nd()\n",
    ),
    "insert after an else chain": (
        "if a:\n    b\nelif c:\n    d\nelse: e\nf\n",
        lambda s: InsertAfter(s.statement("if a"), "g"),
        "if a:\n    b\nelif c:\n    d\nelse: e\ng\nf\n",
    ),
    "insert after a line that ends in no newline": (
        "if a:\n    b",
        lambda s: InsertAfter(s.statement("b"), "c"),
        "if a:\n    b\n    c",
    ),
    "insert after two statements that end together": (
        "if a:\n    b\nc\n",
        lambda s: (InsertAfter(s.statement("if a"), "d"), InsertAfter(s.statement("b"), "e")),
        "if a:\n    b\n    e\nd\nc\n",
    ),
    "insert between statements of one line": (
        "a; b  # c\n",
        lambda s: InsertBefore(s.small("b"), "d"),
        "a\nd\nb  # c\n",
    ),
    "insert twice between statements of one line": (
        "a; b\n",
        lambda s: (InsertAfter(s.small("a"), "c"), InsertBefore(s.small("b"), "d")),
        "a\nc\nd\nb\n",
    ),
    "insert before the suite of a one-line loop": (
        "if x:\n    for a in b: c(); d()  # e\n",
        lambda s: InsertBefore(s.small("c()"), "f()"),
        "if x:\n    for a in b:\n        f()\n        c(); d()  # e\n",
    ),
    "insert after the suite of a one-line loop": (
        "for a in b: c()  # d\nelse: e()\n",
        lambda s: InsertAfter(s.small("c()"), "f()"),
        "for a in b:\n    c()  # d\n    f()\nelse: e()\n",
    ),
    "insert into a one-line else": (
        "if a: b\nelse:c",
        lambda s: InsertAfter(s.small("c"), "d"),
        "if a: b\nelse:\n    c\n    d",
    ),
    "insert into a one-line case": (
        "match a:\n  case 1: b\n",
        lambda s: InsertBefore(s.small("b"), "c"),
        "match a:\n  case 1:\n    c\n    b\n",
    ),
    "remove the first line and the empty ones after it": (
        "a\n\n\nb\n\nc\n",
        lambda s: Remove(s.statement("a")),
        "b\n\nc\n",
    ),
    "insert a function with the empty lines around it": (
        "a\nb\n",
        lambda s: InsertBefore(s.statement("b"), "\n\ndef f():\n    c()\n\n\n"),
        "a\n\n\ndef f():\n    c()\n\n\nb\n",
    ),
    "remove a line": ("a\nb\nc\n", lambda s: Remove(s.statement("b")), "a\nc\n"),
    "remove a line, its comment stays": (
        "if a:\n    b()\n    # above\n    c()  # why\n    d()\n",
        lambda s: Remove(s.small("c()")),
        "if a:\n    b()\n    # above\n    # why\n    d()\n",
    ),
    "remove the only line of a block": (
        "if a:\n    b()  # why\nelse:\n    c()\n",
        lambda s: Remove(s.statement("b()")),
        "if a:\n    pass\n    # why\nelse:\n    c()\n",
    ),
    "remove all lines of a block": (
        "if a:\n  b\n  c; d\ne\n",
        lambda s: tuple(Remove(s.small(x)) for x in "bcd"),
        "if a:\n  pass\ne\n",
    ),
    "remove the only line and put another": (
        "if a:\n    b\n",
        lambda s: (Remove(s.statement("b")), InsertBefore(s.statement("b"), "c")),
        "if a:\n    c\n",
    ),
    "remove a decorated function": (
        "a\n@b\ndef c():\n    # d\n    pass\n    # e\nf\n",
        lambda s: Remove(s.statement("@b")),
        "a\n# d\n# e\nf\n",
    ),
    "remove the last line of a file without newline": (
        "a\nif b:\n    c",
        lambda s: Remove(s.statement("c")),
        "a\nif b:\n    pass",
    ),
    "remove the last lines of a file without newline": (
        "a\nb\nc",
        lambda s: (Remove(s.statement("b")), Remove(s.statement("c"))),
        "a",
    ),
    "move the last line of a file without newline": (
        "if a:\n    b\n    c",
        lambda s: (Remove(s.statement("c")), InsertAfter(s.statement("if a"), "d")),
        "if a:\n    b\nd",
    ),
    "remove a line above white space that libcst loses": (
        "a\nif b:\n    c\n  \n  \n\n# d\n",
        lambda s: Remove(s.statement("a")),
        "if b:\n    c\n  \n  \n\n# d\n",
    ),
    "remove the first of a line": ("a; b; c  # d\n", lambda s: Remove(s.small("a")), "b; c  # d\n"),
    "remove the middle of a line": ("a; b; c  # d\n", lambda s: Remove(s.small("b")), "a; c  # d\n"),
    "remove the last of a line": ("a; b; c;  # d\n", lambda s: Remove(s.small("c")), "a; b;  # d\n"),
    "remove first and last of a line": (
        "a; b; c\n",
        lambda s: (Remove(s.small("c")), Remove(s.small("a"))),
        "b\n",
    ),
    "remove the two first of a line": (
        "a; b; c\n",
        lambda s: (Remove(s.small("a")), Remove(s.small("b"))),
        "c\n",
    ),
    "remove a one-line suite": (
        "if a: b; c  # d\n",
        lambda s: (Remove(s.small("b")), Remove(s.small("c"))),
        "if a: pass  # d\n",
    ),
    "wrap lines with blanks, comments and strings": (
        "a\n# above\nfor b in c:\n    d(\n  1,\n    )\n\n    # in\n"
        '    e = """x\n  y\n"""\n    # end\ng\n# i\nj\n',
        lambda s: Wrap((s.statement("for"), s.statement("g")), "with h:"),
        "a\n# above\nwith h:\n    for b in c:\n        d(\n      1,\n        )\n\n        # in\n"
        '        e = """x\n  y\n"""\n        # end\n    g\n# i\nj\n',
    ),
    "wrap with the step of the block": (
        "def f():\n\tif a:\n\t\treturn b\n",
        lambda s: Wrap((s.statement("if"),), "with h:"),
        "def f():\n\twith h:\n\t\tif a:\n\t\t\treturn b\n",
    ),
    "wrap a continuation line": (
        "if a:\n  b = 1 + \\\n      2\n",
        lambda s: Wrap((s.statement("b"),), "with h:"),
        "if a:\n  with h:\n    b = 1 + \\\n        2\n",
    ),
    "wrap a decorated function with an f-string": (
        "@a\ndef f():\n    return f'''{\nb}\nc'''\n",
        lambda s: Wrap((s.statement("@a"),), "if d:"),
        "if d:\n    @a\n    def f():\n        return f'''{\nb}\nc'''\n",
    ),
    "wrap the middle of a line": (
        "if x:\n    a; b; c  # d\n",
        lambda s: Wrap((s.small("b"),), "with h:"),
        "if x:\n    a\n    with h:\n        b\n    c  # d\n",
    ),
    "wrap a whole one-line suite": (
        "for a in b: c; d  # e\nf\n",
        lambda s: Wrap((s.small("c"), s.small("d")), "with h:"),
        "for a in b:\n    with h:\n        c; d  # e\nf\n",
    ),
    "wrap, and change an expression inside": (
        "a = b\nc = d\n",
        lambda s: (Wrap((s.statement("a"), s.statement("c")), "with h:"), Replace(s.expression("b"), "e")),
        "with h:\n    a = e\n    c = d\n",
    ),
    "wrap, and insert on both sides": (
        "a\nb\n",
        lambda s: (
            InsertBefore(s.statement("a"), "c"),
            Wrap((s.statement("a"),), "with h:"),
            InsertAfter(s.statement("a"), "d"),
        ),
        "c\nwith h:\n    a\nd\nb\n",
    ),
    "decorate below the others": (
        "class A:\n    @a\n    # why\n    async def f(self): pass\n",
        lambda s: Decorate(s.statement("@a"), "@torch.no_grad()"),  # type: ignore[arg-type]
        "class A:\n    @a\n    # why\n    @torch.no_grad()\n    async def f(self): pass\n",
    ),
    "decorate and insert before": (
        "def f(): pass\n",
        lambda s: (Decorate(s.statement("def"), "@a"), InsertBefore(s.statement("def"), "b")),  # type: ignore[arg-type]
        "b\n@a\ndef f(): pass\n",
    ),
}


@pytest.mark.parametrize(("text", "changes", "expected"), CASES.values(), ids=CASES.keys())
def test_change(text: str, changes: Changes, expected: str) -> None:
    assert after(text, changes) == expected
    ast.parse(expected)


@pytest.mark.parametrize(("text", "changes", "expected"), CASES.values(), ids=CASES.keys())
def test_change_keeps_the_newlines_of_the_file(text: str, changes: Changes, expected: str) -> None:
    assert after(text.replace("\n", "\r\n"), changes) == expected.replace("\n", "\r\n")


REFUSED: dict[str, tuple[str, Changes]] = {
    "own suppression": ("a  # memlint: ignore[MEM101] wanted\n", lambda s: Replace(s.expression("a"), "b")),
    "suppression above": ("# memlint: ignore[MEM101]\na\n", lambda s: Remove(s.statement("a"))),
    "suppression on a header": (
        "for a in b:  # memlint: ignore[MEM201]\n    c\n",
        lambda s: Wrap((s.statement("for"),), "with d:"),
    ),
    "suppression inside a call": ("f(\n  a,  # noqa: MEM101\n)\n", lambda s: Replace(s.expression("a"), "b")),
    "blanket noqa": ("a  # noqa\n", lambda s: InsertAfter(s.statement("a"), "b")),
    "node of another file": ("a\n", lambda s: Replace(Script.read("a\n").expression("a"), "b")),
    "statement of another file": ("a\n", lambda s: Remove(Script.read("a\n").statement("a"))),
    "an elif is no statement of a block": (
        "if a: b\nelif c: d\n",
        lambda s: InsertBefore(s.statement("if a").orelse, "e"),  # type: ignore[attr-defined]
    ),
    "overlapping replacements": (
        "f(a)\n",
        lambda s: (Replace(s.expression("f(a)"), "b"), Replace(s.expression("a"), "c")),
    ),
    "replaced and removed": (
        "f(a)\nb\n",
        lambda s: (Remove(s.statement("f(a)")), Replace(s.expression("a"), "c")),
    ),
    "a comment would be lost": ("f(a,  # why\n  b)\n", lambda s: Replace(s.small("f(").value, "g()")),  # type: ignore[attr-defined]
    "a comment of a part would be lost": ("f(a,  # why\n  b); c\n", lambda s: Remove(s.small("f("))),
    "does not parse": ("a = b\n", lambda s: Replace(s.expression("a"), "f()")),
    "no expression": ("a = b\n", lambda s: Replace(s.expression("b"), "pass")),
    "nothing changes": ("a = b\n", lambda s: Replace(s.expression("b"), "b")),
    "new lines with a long string": ("a\n", lambda s: InsertAfter(s.statement("a"), 'b = """\n"""')),
    "wrap what is not in a row": (
        "a\nb\nc\n",
        lambda s: Wrap((s.statement("a"), s.statement("c")), "with d:"),
    ),
    "wrap nothing": ("a\n", lambda s: Wrap((), "with d:")),
    "wrap twice": (
        "for a in b:\n    c\n",
        lambda s: (Wrap((s.statement("for"),), "with d:"), Wrap((s.statement("c"),), "with e:")),
    ),
    "insert into what is wrapped": (
        "a\nb\n",
        lambda s: (
            Wrap((s.statement("a"), s.statement("b")), "with d:"),
            InsertBefore(s.statement("b"), "if e:\n    f"),
        ),
    ),
    "insert at the end of what is wrapped": (
        "for a in b:\n    c\n",
        lambda s: (Wrap((s.statement("for"),), "with d:"), InsertAfter(s.statement("c"), "e")),
    ),
    "remove from what is wrapped": (
        "a\nb\nc\n",
        lambda s: (Wrap((s.statement("a"), s.statement("b")), "with d:"), Remove(s.statement("b"))),
    ),
    "a file that libcst does not give back": ("\ufeffa\nb\n", lambda s: Remove(s.statement("a"))),
}


@pytest.mark.parametrize(("text", "changes"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(text: str, changes: Changes) -> None:
    assert after(text, changes) is None


@pytest.mark.parametrize("comment", ["# noqa: E501", "# type: ignore", "# see memlint", "# fmt: skip"])
def test_other_comments_block_no_fix(comment: str) -> None:
    assert after(f"a  {comment}\n", lambda s: Replace(s.expression("a"), "b")) == f"b  {comment}\n"


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        ("a\n\nb\n\nc\n", ["b"], "a\n\nc\n"),
        ("a\n\nb\n\nc\n\nd\n", ["b", "c"], "a\n\nd\n"),
        ("a\n\nb\nc\n\nd\n", ["b", "c"], "a\n\nd\n"),
        ("a\n\nb\n\n\nclass C: pass\n", ["b"], "a\n\n\nclass C: pass\n"),
        ("a\nb\n\nc\n", ["b"], "a\n\nc\n"),
        ("a\n\nb\nc\n", ["b"], "a\n\nc\n"),
        ("a\n\nb  # why\n\nc\n", ["b"], "a\n\n# why\n\nc\n"),
        ("a\n\nb\n", ["b"], "a\n\n"),
        ("if a:\n    b\n\n    c\n\n    d\n", ["c"], "if a:\n    b\n\n    d\n"),
    ],
)
def test_statements_between_empty_lines_leave_no_gap(text: str, gone: list[str], left: str) -> None:
    assert after(text, lambda s: tuple(Remove(s.statement(name)) for name in gone)) == left


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a\n\n\ndef f(): pass\n", "def", "a\n\n\nnew\n\n\ndef f(): pass\n"),
        ("a\n\n# why\nclass C: pass\n", "class", "a\n\nnew\n\n# why\nclass C: pass\n"),
        ("a\ndef f(): pass\n", "def", "a\nnew\ndef f(): pass\n"),
        ("a\n\nb\n", "b", "a\n\nnew\nb\n"),
    ],
)
def test_new_lines_stand_as_far_above_a_definition_as_the_old_ones(
    text: str, name: str, expected: str
) -> None:
    assert after(text, lambda s: InsertBefore(s.statement(name), "new")) == expected


def test_a_suppression_inside_a_block_does_not_block_its_header() -> None:
    got = after(
        "for a in b:\n    c  # memlint: ignore[MEM101]\n", lambda s: InsertBefore(s.statement("for"), "d")
    )
    assert got == "d\nfor a in b:\n    c  # memlint: ignore[MEM101]\n"


def test_edits_are_minimal_and_count_code_points() -> None:
    fix = fix_of(
        s := Script.read("é = '😀'; total += loss\n"), Replace(s.expression("loss"), "loss.detach()")
    )
    assert fix is not None
    assert fix.edits == (Edit(Span(1, 19, 1, 23), "loss.detach()"),)


def test_a_fix_carries_what_the_plan_says() -> None:
    script = Script.read("a\n")
    plan = Plan(Applicability.UNSAFE, "do it", (Remove(script.statement("a")),), "sums differ")
    bad = Plan(Applicability.SAFE, "not", (Remove(Script.read("b\n").statement("b")),))
    fix, refused = lower_all([plan, bad], script, lay_out([plan, bad], script))
    assert refused == Refused("the node is not in this file")
    assert isinstance(fix, Fix)
    assert (fix.applicability, fix.title, fix.caution) == (Applicability.UNSAFE, "do it", "sums differ")


def test_a_file_newer_than_this_python_is_still_edited() -> None:
    text = cleandoc("""
        def f[T: (int, str)](x: T) -> T:
            return x
        type A = int
    """)
    assert after(text, lambda s: InsertBefore(s.statement("return"), "y")) == text.replace(
        "    return x", "    y\n    return x"
    )
