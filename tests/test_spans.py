"""Spans against the position provider of libcst, which is the oracle, and against the text itself."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from memlint.finding import Span
from memlint.syntax.spans import layout, spans

STDLIB = ["textwrap", "contextlib", "bisect", "sched", "test.test_with", "test.test_patma"]

ODD_SOURCES = {
    "empty": "",
    "only a comment": "# nothing\n",
    "no final newline": "def f():\n    return 1",
    "tabs": "if a:\n\tfor x in y:\n\t\tf(x)\t# c\n\telse:\n\t\tpass\n",
    "crlf": "def f(a,\r\n      b):\r\n    return '''x\r\ny'''\r\n\r\nf(1, 2)\r\n",
    "form feed": "a = 1\n\x0c\ndef f():\n    s = '\x0c'; return s\n",
    "unicode": "größe = '日本語 😀'; f(größe)  # ∑\nx = größe + '\u2028' + y\n",
    "semicolons": "a = 1; b = 2; c(a)\nif a: b; c\nwhile x: y()\n",
    "decorators": "@a\n@b(\n  1\n)\n# c\nasync def f(): pass\n\n@d\nclass C: x: int = 1\n",
    "parentheses": "x = ((a) + (b * (c)))\nwith (open(a) as f, open(b)): pass\ndel (a, b)\n",
    "continuations": "x = 1 + \\\n    2\nassert x, \\\n  y\nfrom a import (b as c,\n   d,)\n",
    "try": "try:\n    a\nexcept E as e:\n    b\nelse:\n    c\nfinally:\n    d\n    # end\ne\n",
    "match": "match p:\n case {'a': [1, *r], **k} if r: f(r)\n case C(x, y=2) | None:\n  pass\n",
    "strings": "f(f'{a!r:>{w}}', b'x' rb'y', *z, **k)[1:2, ...]\n",
}


def provider_spans(source: str) -> tuple[cst.Module, dict[cst.CSTNode, Span]]:
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    ranges = wrapper.resolve(PositionProvider)
    return wrapper.module, {
        node: Span(r.start.line, r.start.column + 1, r.end.line, r.end.column + 1)
        for node, r in ranges.items()
    }


def stdlib_source(name: str) -> str:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"this Python comes without {name}")
    with Path(spec.origin).open(encoding="utf-8", newline="") as file:
        return file.read()


def assert_agrees(source: str) -> None:
    module, expected = provider_spans(source)
    assert expected
    got = spans(module, list(expected))
    last = len(source.splitlines()) + 1
    for node, span in expected.items():
        # The newline libcst invents and takes back after an unterminated last line is not in the text.
        if span.end_line <= last and not (span.end_line == last and not source.endswith(("\n", "\r"))):
            assert got[node] == span, type(node).__name__
        else:
            assert (got[node].line, got[node].column) <= (span.line, span.column)
    assert layout(module, []).text == source


@pytest.mark.parametrize("source", ODD_SOURCES.values(), ids=ODD_SOURCES.keys())
def test_every_node_of_an_odd_source_has_the_span_of_the_oracle(source: str) -> None:
    assert_agrees(source)


@pytest.mark.parametrize("name", STDLIB)
def test_every_node_of_a_library_module_has_the_span_of_the_oracle(name: str) -> None:
    assert_agrees(stdlib_source(name))


def test_asking_for_one_node_gives_the_same_span_as_asking_for_all() -> None:
    source = stdlib_source("contextlib")
    module, expected = provider_spans(source)
    statements = [node for node in expected if isinstance(node, (cst.FunctionDef, cst.With, cst.ImportFrom))]
    assert len(statements) > 30
    for node in statements[::7]:
        assert spans(module, [node]) == {node: expected[node]}


def cut(source: str, span: Span) -> str:
    found = layout(cst.parse_module(source), [])
    return source[
        found.starts[span.line - 1] + span.column - 1 : found.starts[span.end_line - 1] + span.end_column - 1
    ]


def test_parentheses_lie_outside_and_decorators_above() -> None:
    source = "@a\ndef f(x):\n    return (x +\n      1)  # why\n    # footer\n"
    module = cst.parse_module(source)
    function = cst.ensure_type(module.body[0], cst.FunctionDef)
    line = cst.ensure_type(function.body.body[0], cst.SimpleStatementLine)
    value = cst.ensure_type(line.body[0], cst.Return).value
    assert value is not None
    got = spans(module, [function, line, value, function.decorators[0]])
    assert cut(source, got[function]) == "def f(x):\n    return (x +\n      1)"
    assert cut(source, got[line]) == "return (x +\n      1)"
    assert cut(source, got[value]) == "x +\n      1"
    assert cut(source, got[function.decorators[0]]) == "@a"


def test_columns_count_code_points() -> None:
    source = "s = '日本😀'; total = s\n"
    module = cst.parse_module(source)
    second = cst.ensure_type(module.body[0], cst.SimpleStatementLine).body[1]
    assert spans(module, [second])[second] == Span(1, 12, 1, 21)


def test_a_node_of_another_module_is_absent() -> None:
    assert spans(cst.parse_module("a\n"), [cst.Name("a")]) == {}


def test_an_offset_is_turned_into_a_line_and_back() -> None:
    found = layout(cst.parse_module("ab\r\ncd\n"), [])
    assert found.span(4, 7) == Span(2, 1, 3, 1)
    assert found.line_start(5) == 4
    assert found.next_line(0) == 4
    assert found.next_line(7) == 7
