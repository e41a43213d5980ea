"""Uses of a value: what happens next, through names and their liveness."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.value_uses import uses_of, uses_of_parameter


def uses(source: str, of: str = "net(x)") -> list[tuple[str, str]]:
    model = ScriptModel.parse(textwrap.dedent(source))
    node = next(c for c in model.every(cst.Call, model.module) if model.code(c) == of)
    return [(use.how, model.code(use.node).strip()) for use in uses_of(model, node)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(net(x))", [("argument", "print(net(x))")]),
        ("net(x).mean()", [("method", "net(x).mean()")]),
        ("y = net(x)\nz = y + 1\n", [("computed", "y + 1")]),
        ("y = net(x)\ny = 2\nprint(y)\n", []),
        ("a, b = net(x)\nprint(b)\n", [("argument", "print(b)")]),
        ("self.y = net(x)", [("stored", "self.y")]),
        ("box = [net(x)]", [("member", "[net(x)]")]),
        ("total += net(x)\nprint(total)\n", [("added", "total += net(x)"), ("argument", "print(total)")]),
        ("y = net(x)\nwhile True:\n    y += 1\n", [("added", "y += 1")]),
        ("for y in net(x):\n    show(y)\n", [("argument", "show(y)")]),
        ("[show(y) for y in net(x)]", [("argument", "show(y)")]),
        ("if net(x) > 0:\n    pass\n", [("compared", "net(x) > 0")]),
        ("net(x)", [("dropped", "net(x)")]),
        ("f'{net(x)}'", [("tested", "{net(x)}")]),
        ("y = net(x)\ndef show():\n    print(y)\n", [("captured", "y")]),
    ],
)
def test_uses_are_what_happens_next(source: str, expected: list[tuple[str, str]]) -> None:
    assert uses(source) == expected


def test_a_loop_carries_a_name_to_the_reads_above_it() -> None:
    found = uses("for x in data:\n    print(y)\n    y = net(x)\n")
    assert found == [("argument", "print(y)")]


def test_a_parameter_is_read_until_it_is_bound_again() -> None:
    model = ScriptModel.parse("def f(out):\n    print(out)\n    out = 1\n    return out\n")
    param = model.every(cst.Param, model.module)[0]
    assert [u.how for u in uses_of_parameter(model, param)] == ["argument"]
