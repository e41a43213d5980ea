"""Control flow: which code leaves its block, and which code may follow which."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.dataflow.control_flow import Leave, control_flow_of, leaves
from memlint.analysis.model import ScriptModel


def statement(code: str) -> cst.CSTNode:
    return cst.parse_module(code).body[0]


@pytest.mark.parametrize(
    "code",
    [
        "return",
        "x = 1; return x",
        "raise ValueError",
        "break",
        "continue",
        "sys.exit(1)",
        "os._exit(0)",
        "exit()",
        "pytest.skip('no GPU')",
        "if a:\n    return\nelse:\n    raise E",
        "if a:\n    return\nelif b:\n    break\nelse:\n    continue",
        "with lock:\n    return",
        "try:\n    return f()\nexcept E:\n    raise",
        "try:\n    f()\nexcept E:\n    raise\nelse:\n    return",
        "try:\n    f()\nfinally:\n    return",
    ],
)
def test_code_that_leaves(code: str) -> None:
    assert leaves(statement(code))


@pytest.mark.parametrize(
    "code",
    [
        "pass",
        "x = exit",
        "x = sys.exit(1)",
        "if a:\n    return",
        "if a:\n    return\nelse:\n    pass",
        "if a:\n    return\nelif b:\n    return",
        "try:\n    return f()\nexcept E:\n    pass",
        "try:\n    return\nexcept E:\n    raise\nelse:\n    pass",
        "for x in y:\n    return",
        "while a:\n    break",
        "def f():\n    return",
        "exits()",
    ],
)
def test_code_that_may_go_on(code: str) -> None:
    assert not leaves(statement(code))


@pytest.mark.parametrize(
    ("code", "ways", "expected"),
    [
        ("return", Leave.RETURN, True),
        ("return", Leave.RAISE, False),
        ("raise E", Leave.WITHOUT_ERROR, False),
        ("quit()", Leave.RAISE, True),
        ("quit()", Leave.WITHOUT_ERROR, False),
        ("break", Leave.CONTINUE, False),
        ("continue", Leave.CONTINUE, True),
        ("if a:\n    return\nelse:\n    raise E", Leave.RETURN, False),
        ("if a:\n    return\nelse:\n    break", Leave.WITHOUT_ERROR, True),
    ],
)
def test_the_ways_that_count(code: str, ways: Leave, expected: bool) -> None:
    assert leaves(statement(code), ways) is expected


def test_a_block_leaves_when_its_last_statement_does() -> None:
    assert leaves(cst.parse_module("x = 1\nreturn x"))
    assert not leaves(cst.parse_module("return x\nx = 1"))
    assert not leaves(cst.parse_module(""))


def may_follow(body: str, first: str, second: str) -> bool:
    """Whether the line `second` may run some time after the line `first` is done."""
    model = ScriptModel.parse("def f():\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    function = model.names.every(cst.FunctionDef)[0]
    flow = control_flow_of(model, function)
    lines = {model.code(n).strip(): n for n in model.walk(function) if type(n) is cst.SimpleStatementLine}
    stack, seen = [flow.ends[lines[first]]], set()
    while stack:
        step = stack.pop()
        if step not in seen:
            seen.add(step)
            stack += [*step.successors, *step.on_error]
    return flow.nodes[lines[second].body[0]] in seen


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a\nb", True),
        ("b\na", False),
        ("for x in y:\n    b\n    a", True),
        ("if c:\n    a\nelse:\n    b", False),
        ("for x in y:\n    if c:\n        a\n    else:\n        b", True),
        ("while True:\n    a\nb", False),
        ("while True:\n    a\n    if c:\n        break\nb", True),
        ("for x in y:\n    a\n    continue\n    b", False),
        ("if c:\n    a\n    return\nb", False),
        ("try:\n    a\n    g()\nexcept E:\n    b", True),
        ("try:\n    g()\nexcept E:\n    a\nelse:\n    b", False),
        ("try:\n    a\n    return\nfinally:\n    b", True),
        ("with suppress(E):\n    a\n    raise E\nb", True),
        ("with opened():\n    a\n    raise E\nb", False),
        ("match c:\n    case 1:\n        a\n    case 2:\n        b", False),
    ],
)
def test_what_may_run_after(body: str, expected: bool) -> None:
    assert may_follow(body, "a", "b") is expected
