"""Trees made from Python's own: what libcst's parser would have made, once their layout is asked for."""

from __future__ import annotations

import ast
import gc
import sysconfig
import tracemalloc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from memlint import catalogue
from memlint.analysis.match import Match
from memlint.engine import across
from memlint.engine import check as engine
from memlint.engine.checks import Checks
from memlint.source import parsing
from memlint.syntax import bare, parse
from memlint.syntax.names import Names
from memlint.syntax.parse import parse_module, tree_of
from memlint.syntax.spans import code_of
from memlint.syntax.tree import Preorder, code_fields

ROOT = Path(__file__).resolve().parent.parent
FILES = [
    *sorted((ROOT / "memlint").rglob("*.py"))[::17],
    *sorted((ROOT / "fixtures").rglob("*.py"))[::3],
    *(Path(sysconfig.get_path("stdlib"), f"{name}.py") for name in ("ast", "dataclasses", "inspect")),
]

SHAPES = '''
"""Text."""
from __future__ import annotations
import a, b.c as d
from ..e import (f as g, h)
from . import *
x: int = 1; y = z = (2); del x, y
del (z)
async def one(p, /, q: "int" = (1), *r: int, s, t=2, **u: str) -> None:
    async with a as b, (c): await b
    async for i in c: yield i
    return [i async for i in c if i if not i]
@decorated
@decorated.more(1)
class Two(Base, *bases, metaclass=M, **rest):
    def f(self, *, k): pass
    g = lambda *a, k=1, **b: (a, k)
    def h(self):
        global n
        nonlocal_ = yield from self.f(k=1)
        if self: return
        elif not self.x is not 1 <= n != 2: raise
        else:
            if n: raise ValueError from None
        while n:
            n -= 1
            break
        else: n **= 2
        for a, *b in ((n), *c):
            continue
        try:
            assert a, b
        except (A, B) as e: pass
        except: pass
        else: pass
        finally: pass
        with (open(a)) as f, b: pass
print(f"{x!r:>{w}} {y}", 'one' "two" r'three', """four
five""", *args, key=(value), **more)
x = {1: 2, **c, 'k': [a, *b]}, {*a, 1}, {k: v for k in a for v in k}, {i for i in j}
x = sum(i for i in j) + sum((i for i in j)) + sum( i for i in (j) )
x = a if b else c or d and not e and (f or g) or h
x[1:2, ::3, *y], x[(1, 2)], x[()], x[1,], x[a:=1], x[(1), (2)]
x = (a.b).c(d)(e)[0] @ -1 // ~2 + 3j * 0x1F - 1_0.5e-3
x = (
    a + (  # a comment
        b
    )
    .c(d,
       e)
)
x = yield_(
    (
        a
    ),
    ...
)
ä = "ö", (ü), None, True
'''
EXOTIC = {
    "tabs": "if x:\n\ty = 1\n",
    "continued": "x = 1; \\\ny = 2\n",
    "match": "match x:\n    case 1: pass\n",
    "other line ends": "x = 1\r\ny = 2\r\n",
}


def made(text: str) -> tuple[bare.Bare, Names]:
    module, tree = tree_of(text)
    assert tree is not None
    return tree, Names(module, None, None, tree)


def alike(one: object, other: object) -> bool:
    """Whether two values of a field mean the same: nodes of one class, as many of them, or equal words."""
    if isinstance(one, (list, tuple)):
        return isinstance(other, (list, tuple)) and [*map(type, one)] == [*map(type, other)]
    return type(one) is type(other) and (isinstance(one, cst.CSTNode) or one == other)


def disagreements(text: str) -> list[str]:
    """Where the tree of a text, and the code that it gives for its nodes, differ from libcst's."""
    tree, names = made(text)
    whole = parse_module(text)
    pairs = [*zip(Preorder(tree.module).nodes, Preorder(whole).nodes, strict=True)]
    told = ("star", "operator", "asynchronous", "relative")
    found = [
        f"{type(other).__name__}.{field}"
        for mine, other in pairs
        for field in {*code_fields(type(other)), *(name for name in told if hasattr(type(other), name))}
        if not alike(getattr(mine, field), getattr(other, field))
    ]
    codes = {node: tree.code(node, names.parents) for node in tree.extents}
    assert tree in bare._trees, "no layout was needed so far"
    tree.fill()
    found += [code for node, code in codes.items() if code and code != code_of(node, tree.module)]
    if not tree.module.deep_equals(whole) or tree.module.code != text:
        found.append("the layout")
    return found


def test_the_trees_of_all_shapes_are_those_of_libcst() -> None:
    ascii_only = SHAPES.rpartition("\n")[0].rpartition("\n")[0] + "\n"
    assert disagreements(ascii_only) == []
    assert tree_of(SHAPES)[1] is None, "Python has names in another form than the text"
    assert disagreements(SHAPES.replace("ä", "x").replace("(ü)", "(v)")) == []


@pytest.mark.parametrize("text", ["\ufb01t(x)\n", "a.\uff28\uff49 = 1\n", "def f(\u212a): pass\n"])
def test_names_that_python_reads_as_ascii_are_left_to_libcst(text: str) -> None:
    assert tree_of(text)[1] is None


def test_a_comment_may_have_signs_that_no_name_has() -> None:
    assert disagreements("x = 1  # \u2026 \u4e2d \uff0c \u00b2\n") == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_trees_of_files_are_those_of_libcst(path: Path) -> None:
    text = path.read_text("utf-8")
    if tree_of(text)[1] is not None:
        assert disagreements(text) == []


def test_hardly_any_code_is_uncertain() -> None:
    text = (ROOT / "benchmarks" / "data" / "train_500.py").read_text("utf-8")
    tree, names = made(text)
    kinds = {type(node) for node in tree.extents if not tree.code(node, names.parents)}
    assert kinds <= {cst.SimpleString}


@pytest.mark.parametrize("text", EXOTIC.values(), ids=EXOTIC)
def test_what_is_rare_is_left_to_libcst(text: str) -> None:
    module, tree = tree_of(text)
    assert tree is None
    assert module.deep_equals(cst.parse_module(text))


def test_what_python_refuses_is_left_to_libcst() -> None:
    with pytest.raises(cst.ParserSyntaxError):
        tree_of("def f(:\n")


def test_libcst_parses_when_layout_is_asked_for_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(parse, "parse_module", lambda text: parsed.append(text) or parse_module(text))
    text = "x = (a + b)  # why\nf(c, d)\n"
    tree, names = made(text)
    total = names.every(cst.BinaryOperation)[0]
    assert type(total.operator) is cst.Add
    assert tree.code(total, names.parents) == "(a + b)"
    assert not parsed
    assert not hasattr(total, "orelse")
    assert not parsed
    line = names.every(cst.SimpleStatementLine)[0]
    assert line.trailing_whitespace.comment is not None
    assert parsed == [text]
    assert len(total.lpar) == 1
    assert isinstance(names.every(cst.Arg)[0].comma, cst.Comma)
    assert parsed == [text]


def test_a_changed_copy_of_a_node_has_its_layout() -> None:
    _, names = made("f( a , b)\n")
    call = names.calls[0]
    assert cst.Module([]).code_for_node(call.with_changes(func=cst.Name("g"))) == "g( a , b)"


def test_a_tree_goes_with_its_names() -> None:
    tree, names = made("x = 1\n")
    gone = weakref.ref(tree)
    gc.disable()
    try:
        del tree, names
        assert gone() is None
    finally:
        gc.enable()


def test_a_text_that_only_libcst_refuses_is_said_to_be_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> cst.Module:
        return cst.parse_module("def f(:\n")

    text = "import torch\nfor x in loader:\n    loss = model(x)\n    loss.backward()\n    total += loss\n"
    codes = frozenset(rule.code for rule in catalogue.load())
    assert [
        f.code for f in engine.check(text, "train.py", Checks(codes, frozenset(), "train.py")).findings
    ] != ["MEM001"]
    monkeypatch.setattr(parse, "parse_module", refuse)
    report = engine.check(text, "train.py", Checks(codes, frozenset(), "train.py"))
    assert [f.code for f in report.findings] == ["MEM001"]
    assert not report.failed


def test_the_lines_of_a_class_are_those_of_the_text() -> None:
    text = "if x:\n    @wrapped\n    class A:\n        def f(self): self.g()\n\n"
    tree, names = made(text)
    found = tree.lines(names.every(cst.ClassDef)[0])
    assert found == "    class A:\n        def f(self): self.g()"
    assert ast.parse(f"if True:\n{found}")


def test_a_long_string_takes_a_few_times_its_length() -> None:
    """A pattern that might go back at each letter remembers each: 130 bytes."""
    text = f"x = '''{'model ' * 20_000}'''\n"
    tree_of("x = 1\n")
    tracemalloc.start()
    try:
        tree_of(text)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()


def test_the_tree_of_a_long_text_is_gone_while_rules_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 130 MB for a table of numbers of 400 KB; findings and comments have it made again."""
    lines = "import torch\ntotal = 0.0\nfor x in loader:\n    loss = model(x).mean()\n    loss.backward()\n"
    text = f"rows = [{'1.5, ' * 50_000}]\n{lines}    total += loss\n\nx = 1  # memlint: ignore[MEM201]\n"
    held, settled = [], across.settled

    def asked(*arguments: Any) -> Iterator[Match]:
        held.append(text in parsing._in_use)
        return settled(*arguments)

    monkeypatch.setattr(across, "settled", asked)
    report = engine.check(text, "train.py", Checks(frozenset({"MEM101", "MEM002"}), frozenset(), "train.py"))
    assert held == [False]
    assert [finding.code for finding in report.findings] == ["MEM101"]
