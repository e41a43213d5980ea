"""What an expression is without its layout: values, places, words."""

from __future__ import annotations

import re

import libcst as cst
import pytest

from memlint.syntax.expressions import (
    calls_one,
    item_key,
    literal,
    mentions,
    place,
    places_in,
    reads_place,
    same,
    speaks_of,
)


def parsed(code: str) -> cst.BaseExpression:
    return cst.parse_expression(code)


@pytest.mark.parametrize(
    ("code", "value"),
    [("True", True), ("None", None), ("-1", -1), ("2.5", 2.5), ("'cuda'", "cuda"), ("x", ...), ("-x", ...)],
)
def test_the_value_of_what_is_written_out(code: str, value: object) -> None:
    assert literal(parsed(code)) is value or literal(parsed(code)) == value


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("self . boxes [ 'a' ]", 'self.boxes["a"]'),
        ('self.boxes["a"]', 'self.boxes["a"]'),
        ("rows[i][-1]", "rows[i][-1]"),
        ("rows[1:]", ""),
        ("make().x", ""),
    ],
)
def test_a_place_has_one_spelling(code: str, named: str) -> None:
    assert place(parsed(code)) == named


def test_a_name_is_no_part_of_a_longer_one() -> None:
    assert not reads_place(parsed("f(tape2, self.tape)"), ["tape2.x", "tap"])
    assert reads_place(parsed("f(tape2[0].x)"), ["tape2"])
    assert not mentions(parsed("autocast_mode(x)"), "autocast")
    assert "b[0]" in set(places_in(parsed("f(self.a, b[0])")))


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("f( x, 'y' )", 'f(x, "y")', True),
        ("a[1:]", "a[:1]", False),
        ("a + b", "a - b", False),
        ("f(*a)", "f(a)", False),
        ("(a)", "a", True),
    ],
)
def test_the_same_expression(a: str, b: str, equal: bool) -> None:
    assert same(parsed(a), parsed(b)) is equal


def test_keys_calls_and_words() -> None:
    index = parsed("out['loss']")
    assert isinstance(index, cst.Subscript)
    assert item_key(index) == "loss"
    assert calls_one(parsed("x[0].cpu()"), "cpu")
    assert not calls_one(parsed("x.cpu"), "cpu")
    assert speaks_of(parsed("load(name='quantized.pt')"), re.compile("quantized"))
