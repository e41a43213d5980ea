"""Code in messages: on one line, as a formatter would write it there."""

from __future__ import annotations

import pytest

from memlint.analysis.model import ScriptModel
from memlint.syntax.tree import statements

SHOWN = {
    "x.repeat(\n    1, n  # rows\n)": "x.repeat(1, n)",
    "(\n    x[:, 0]\n    .unsqueeze(1)\n    # as often\n    .mul(n)\n)": "x[:, 0].unsqueeze(1).mul(n)",
    "weights[:, 0].unsqueeze(1).unsqueeze(1).repeat(1, n)": "weights[:, 0].unsqueeze(1).u...eat(1, n)",
    "weights[:, 0].repeat(1, heads, channels, length)": "weights[:, 0].repeat(1, head...length)",
    "(\n    a,\n    b,\n)": "(a, b,)",
    "f('#',\n  '# two')": "f('#', '# two')",
    "f(x['a'],  # the image's\n  y)": "f(x['a'], y)",
    "a + \\\n    b": "a + b",
    "[\n    x\n    for x in rows\n]": "[x for x in rows]",
    "(a  +  b)": "(a + b)",
}


@pytest.mark.parametrize("code", SHOWN)
def test_code_in_messages(code: str) -> None:
    model = ScriptModel.parse(f"value = {code}\n", "train.py")
    line = statements(model.module)[0]
    assert model.short(line.body[0].value) == SHOWN[code]  # type: ignore[union-attr,attr-defined,index]
