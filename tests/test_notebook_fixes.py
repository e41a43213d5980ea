"""Fixes in notebooks: the bytes of the changed lines and no others, each within its cell."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlint.__main__ import main
from memlint.finding import Applicability, Edit, FileReport, Finding, Fix, Severity, Span
from memlint.source.text import apply_edits
from tests.notebooks import (
    LOOP,
    SETUP,
    START,
    WRITERS,
    code,
    colab,
    jupyter,
    module,
    notebook,
    text_cell,
)


@pytest.mark.parametrize("as_list", [True, False])
@pytest.mark.parametrize("write", WRITERS, ids=lambda writer: writer.__name__)
def test_a_fix_changes_the_bytes_of_its_line_alone(leaking: Path, write: Any, as_list: bool) -> None:
    cells = [
        text_cell("# \u00c4 title"),
        code("", as_list=as_list),
        code(SETUP, as_list=as_list, id="5e1f"),
        code(LOOP, as_list=as_list),
        code("print('\u00e9\\n')\n!ls", as_list=as_list),
    ]
    before = write(notebook(*cells))
    leaking.write_bytes(before)
    assert main(["check", "--fix", "leak.ipynb"]) == 0
    assert leaking.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_changed_lines_are_escaped_like_the_rest(leaking: Path) -> None:
    cells = notebook(code(SETUP), code(f"{LOOP}  # d\u00e9j\u00e0 vu \U0001f600"))
    for write in (jupyter, colab):
        before = write(cells)
        leaking.write_bytes(before)
        main(["check", "--fix", "leak.ipynb"])
        assert leaking.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_cells_keep_their_line_ends(leaking: Path) -> None:
    dos = LOOP.replace("\n", "\r\n")
    before = jupyter(notebook(code(SETUP), code(dos, as_list=False), code("x = 1\ny = 2", as_list=False)))
    leaking.write_bytes(before)
    main(["check", "--fix", "leak.ipynb"])
    assert leaking.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_whole_lines_go_into_a_list_as_items_of_their_own(leaking: Path) -> None:
    lines = ["model.eval()", "for x in [torch.ones(1, 4)]:", "    print(model(x).argmax(1).tolist())"]
    leaking.write_bytes(jupyter(notebook(code(SETUP), code("\n".join(lines)))))
    main(["check", "--fix", "leak.ipynb"])
    source = json.loads(leaking.read_bytes())["cells"][1]["source"]
    assert any("torch.no_grad()" in line for line in source)
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in source[:-1])
    assert not source[-1].endswith("\n")


def test_diff_shows_the_cell(leaking: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = leaking.read_bytes()
    assert main(["check", "--diff", "leak.ipynb"]) == 1
    assert capsys.readouterr().out == (
        "--- a/leak.ipynb:cell 3\t\n+++ b/leak.ipynb:cell 3\t\n@@ -5,4 +5,4 @@\n"
        "     optimizer.zero_grad()\n     loss.backward()\n     optimizer.step()\n"
        "-    total += loss\n+    total += loss.detach()\n"
    )
    assert leaking.read_bytes() == before


# --- borders ------------------------------------------------------------------------------------------

SCORING = """\
net.eval()
for x in rows:
    print(net(x).argmax(1).tolist())"""
IMPORTS = "%cd ..\nfrom torch import nn, ones\n\nnet = nn.Linear(4, 1)\nrows = [ones(1, 4)]"


def test_a_missing_import_goes_to_the_first_imports(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leaking.write_bytes(jupyter(notebook(code("x = 1"), code(IMPORTS), code("import os"), code(SCORING))))
    main(["check", "leak.ipynb"])
    assert "\n  = and: in cell 2: `import torch`\n" in capsys.readouterr().out
    assert main(["check", "leak.ipynb", "--fix"]) == 0
    sources = ["".join(cell["source"]) for cell in json.loads(leaking.read_bytes())["cells"]]
    assert sources[1] == IMPORTS.replace("ones\n", "ones\nimport torch\n")
    assert sources[3].splitlines()[1] == "with torch.no_grad():"


def test_no_import_is_added_where_it_would_come_too_late(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    function = f"def score(rows):\n{textwrap.indent(SCORING, '    ')}"
    before = jupyter(notebook(code(function), code(IMPORTS), code("score(rows)")))
    leaking.write_bytes(before)
    assert main(["check", "leak.ipynb", "--fix", "--unsafe-fixes", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("leak.ipynb:cell 1:4:15: error: MEM201 `net(x)`")
    assert leaking.read_bytes() == before


def found_with(*edits: Edit) -> FileReport:
    fix = Fix(Applicability.SAFE, "do it", edits)
    return FileReport(
        "nb.ipynb", (Finding("MEM101", "n", Severity.ERROR, "m", "nb.ipynb", START, "", fix=fix),)
    )


@pytest.mark.parametrize(
    ("edits", "fits"),
    [
        ([Edit(Span(3, 1, 3, 6), "a = 2")], True),
        ([Edit(Span(3, 1, 3, 6), "a = (")], False),
        ([Edit(Span(3, 1, 3, 6), "a = 2"), Edit(Span(5, 5, 5, 6), "3")], False),
        ([Edit(Span(2, 1, 2, 1), "import z\n"), Edit(Span(5, 5, 5, 6), "3")], True),
        ([Edit(Span(5, 1, 5, 1), "import z\n"), Edit(Span(3, 1, 3, 6), "a = 2")], False),
        ([Edit(Span(3, 1, 5, 1), "")], False),
        ([Edit(Span(4, 1, 4, 1), "    ")], False),
        ([Edit(Span(6, 1, 6, 2), "x")], False),
        ([Edit(Span(1, 1, 1, 1), "import z\n")], False),
    ],
)
def test_fixes_stay_within_their_cell(edits: list[Edit], fits: bool) -> None:
    book = module("import b\na = 1", "b = 2\n%cd ..")
    (finding,) = book.admit(found_with(*edits), book.text).findings
    assert (finding.fix is not None) is fits


@settings(max_examples=60, deadline=None)
@given(st.data(), st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(0, 3))
def test_edits_as_shown_do_to_a_cell_what_is_written(
    data: st.DataObject, sizes: list[int], added: int
) -> None:
    book = module(*("\n".join(f"x{n} = {n}" for n in range(size)) for size in sizes))
    at = data.draw(st.integers(0, len(sizes) - 1))
    start = sum(sizes[:at]) + at + 2
    first = data.draw(st.integers(start, start + sizes[at]))
    last = data.draw(st.integers(first, start + sizes[at]))
    edit = Edit(Span(first, 1, last, 1), "".join(f"y{n} = {n}\n" for n in range(added)))
    report = book.admit(found_with(edit), book.text)
    ((_, old, new),) = book.changes(apply_edits(book.text, [edit])) or [("", "", "")]
    (finding,) = book.show(report, book.text).findings
    assert finding.fix is not None
    cells = {edit.cell for edit in finding.fix.edits}
    if old != new:
        assert cells == {at + 1}
        source = json.loads(book.json)["cells"][at]["source"]
        assert apply_edits("".join(source), list(finding.fix.edits)) == new.removesuffix("\n")
