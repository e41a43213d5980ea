"""Notebooks: what is read as Python, where findings are said to be, and which bytes a fix changes."""

from __future__ import annotations

import io
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlint import magics
from memlint.__main__ import main
from memlint.errors import SourceError
from memlint.finding import Applicability, Edit, FileReport, Finding, Fix, Severity, Span
from memlint.notebook import FOREIGN, Notebook
from memlint.rawjson import LINE_END, elements, members, with_lines
from memlint.source import apply_edits

SETUP = """\
import torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
LOOP = """\
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss"""
START = Span(1, 1, 1, 1)
PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(source: str, *, as_list: bool = True, **more: Any) -> dict[str, Any]:
    """A code cell as Jupyter writes it."""
    output = {"name": "stdout", "output_type": "stream", "text": ["na\u00efve \u2713\n"]}
    cell = {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output]}
    return {**cell, **more, "source": source.splitlines(keepends=True) if as_list else source}


def text_cell(source: str) -> dict[str, Any]:
    attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
    return {"cell_type": "markdown", "metadata": {}, "attachments": attachments, "source": [source]}


def notebook(*cells: dict[str, Any], metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    found = PYTHON if metadata is None else metadata
    return {"cells": list(cells), "metadata": found, "nbformat": 4, "nbformat_minor": 5}


def jupyter(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def vscode(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2, ensure_ascii=False).encode()


def colab(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2, ensure_ascii=True).encode()


def compact(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":"), sort_keys=True).encode()


def windows(content: dict[str, Any]) -> bytes:
    return b"\xef\xbb\xbf" + jupyter(content).replace(b"\n", b"\r\n")


WRITERS = (jupyter, vscode, colab, compact, windows)


def module(*sources: str) -> Notebook:
    return Notebook.decode("nb.ipynb", jupyter(notebook(*map(code, sources))))


@pytest.fixture
def leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook that leaks in its third cell; the current folder is its own."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "leak.ipynb"
    path.write_bytes(jupyter(notebook(text_cell("# Training"), code(SETUP), code(f"%%time\n{LOOP}"))))
    return path


# --- findings -----------------------------------------------------------------------------------------


def test_a_finding_names_cell_line_and_column(leak: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "leak.ipynb", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("leak.ipynb:cell 3:8:5: MEM101 [*] `total` keeps")


def test_the_text_report_shows_the_cell_as_it_is(leak: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leak.write_bytes(jupyter(notebook(code(SETUP), code(f"{LOOP}\n%time print(total)"))))
    main(["check", "leak.ipynb"])
    out = capsys.readouterr().out
    assert "\n7 |     total += loss\n  |     ^^^^^^^^^^^^^\n8 | %time print(total)\n" in out
    assert "\n7 -     total += loss\n7 +     total += loss.detach()\n" in out


def test_json_places_findings_notes_and_edits_in_cells(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", "leak.ipynb", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["cell"], found["line"], found["column"]) == (3, 8, 5)
    assert [(edit["cell"], edit["line"], edit["text"]) for edit in found["fix"]["edits"]] == [
        (3, 8, "loss.detach()")
    ]


def test_what_a_finding_says_about_another_cell_names_that_cell(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scoring = "for step in range(9):\n    scores = model(torch.randn(8, 4))\n    print(scores.sum())"
    leak.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), code(scoring))))
    main(["check", "leak.ipynb", "--advice", "--output-format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    cells = {note["cell"] for found in findings for note in found["notes"] if "line" in note}
    assert {found["cell"] for found in findings} <= {2, 3}
    assert cells <= {1, 2, 3}
    assert cells


def test_folders_are_walked_for_notebooks_and_exclude_applies(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", ".", "--statistics"]) == 1
    assert "MEM101" in capsys.readouterr().out
    inner = leak.parent / "inner"
    inner.mkdir()
    leak.rename(inner / "leak.ipynb")
    (inner / "pyproject.toml").write_text('[tool.memlint]\nexclude = ["*.ipynb"]\n', encoding="utf-8")
    assert main(["check", "."]) == 0


@pytest.mark.parametrize(
    "comment", ["# memlint: ignore[MEM101] wanted", "# noqa: MEM101", "# memlint: file-ignore[MEM101]"]
)
def test_suppressions_work_in_cells(leak: Path, comment: str) -> None:
    leak.write_bytes(jupyter(notebook(code(SETUP), code(f"{LOOP}  {comment}"))))
    assert main(["check", "leak.ipynb"]) == 0


def test_a_cell_that_is_no_python_is_reported_and_the_others_checked(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leak.write_bytes(jupyter(notebook(code(SETUP), code("x = 1\nprint 'x'"), code(LOOP), code("y = ("))))
    assert main(["check", "leak.ipynb", "--output-format", "concise"]) == 1
    places = [line.partition(" `")[0].split(" MEM") for line in capsys.readouterr().out.splitlines()]
    assert [place for place, _ in places] == [
        "leak.ipynb:cell 2:2:1:",
        "leak.ipynb:cell 3:7:5:",
        "leak.ipynb:cell 4:1:5:",
    ]


def test_a_cell_that_was_not_checked_does_not_look_clean(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leak.write_bytes(colab(notebook(code(SETUP), code("x = '\ud83d'"), code(LOOP))))
    assert main(["check", "leak.ipynb", "--fix"]) == 2
    assert "leak.ipynb: cell 2 cannot be read by this Python; the others were" in capsys.readouterr().err
    assert b"total += loss.detach()" in leak.read_bytes()


def test_stdin_is_a_notebook_when_its_name_says_so(
    leak: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = leak.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(before)))
    main(["check", "--fix", "--stdin-filename", "leak.ipynb"])
    after = capfdbinary.readouterr().out
    assert after == before.replace(b"total += loss", b"total += loss.detach()")


# --- fixes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_list", [True, False])
@pytest.mark.parametrize("write", WRITERS, ids=lambda writer: writer.__name__)
def test_a_fix_changes_the_bytes_of_its_line_alone(leak: Path, write: Any, as_list: bool) -> None:
    cells = [
        text_cell("# \u00c4 title"),
        code("", as_list=as_list),
        code(SETUP, as_list=as_list, id="5e1f"),
        code(LOOP, as_list=as_list),
        code("print('\u00e9\\n')\n!ls", as_list=as_list),
    ]
    before = write(notebook(*cells))
    leak.write_bytes(before)
    assert main(["check", "--fix", "leak.ipynb"]) == 0
    assert leak.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_changed_lines_are_escaped_like_the_rest(leak: Path) -> None:
    cells = notebook(code(SETUP), code(f"{LOOP}  # d\u00e9j\u00e0 vu \U0001f600"))
    for write in (jupyter, colab):
        before = write(cells)
        leak.write_bytes(before)
        main(["check", "--fix", "leak.ipynb"])
        assert leak.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_cells_keep_their_line_ends(leak: Path) -> None:
    dos = LOOP.replace("\n", "\r\n")
    before = jupyter(notebook(code(SETUP), code(dos, as_list=False), code("x = 1\ny = 2", as_list=False)))
    leak.write_bytes(before)
    main(["check", "--fix", "leak.ipynb"])
    assert leak.read_bytes() == before.replace(b"total += loss", b"total += loss.detach()")


def test_whole_lines_go_into_a_list_as_items_of_their_own(leak: Path) -> None:
    lines = ["model.eval()", "for x in [torch.ones(1, 4)]:", "    print(model(x).argmax(1).tolist())"]
    leak.write_bytes(jupyter(notebook(code(SETUP), code("\n".join(lines)))))
    main(["check", "--fix", "leak.ipynb"])
    source = json.loads(leak.read_bytes())["cells"][1]["source"]
    assert any("torch.no_grad()" in line for line in source)
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in source[:-1])
    assert not source[-1].endswith("\n")


def test_diff_shows_the_cell(leak: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = leak.read_bytes()
    assert main(["check", "--diff", "leak.ipynb"]) == 1
    assert capsys.readouterr().out == (
        "--- a/leak.ipynb:cell 3\t\n+++ b/leak.ipynb:cell 3\t\n@@ -5,4 +5,4 @@\n"
        "     optimizer.zero_grad()\n     loss.backward()\n     optimizer.step()\n"
        "-    total += loss\n+    total += loss.detach()\n"
    )
    assert leak.read_bytes() == before


# --- input that is no use -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", ":1: is not valid JSON: Expecting value"),
        (b'{"cells": [', ":1: is not valid JSON: "),
        (b"[" * 100_000, ": cannot be read as JSON: "),
        (b'{"torch": "\xff"}', ": byte 0xff is not valid utf-8"),
        (b"[1]", ": is no notebook: it has no list of cells"),
        (b'{"nbformat": 4}', ": is no notebook: it has no list of cells"),
        (b'{"nbformat": 3, "worksheets": []}', ": is a notebook of the old format 3 (convert it"),
    ],
)
def test_bad_input_gives_one_line(
    leak: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str
) -> None:
    leak.write_bytes(data)
    assert main(["check", "--fix", "leak.ipynb"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"memlint: error: leak.ipynb{said}")
    assert err.count("\n") == 1
    assert leak.read_bytes() == data


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "display_name": "R"}},
        {"language_info": {"name": "julia"}},
        {"kernelspec": {"name": "python2", "display_name": "Python 2"}},
        {"language_info": {"name": "python", "version": "2.7.15"}},
    ],
)
def test_notebooks_in_another_language_are_skipped(
    leak: Path, capsys: pytest.CaptureFixture[str], metadata: dict[str, Any]
) -> None:
    leak.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), metadata=metadata)))
    assert main(["check", "leak.ipynb"]) == 0
    assert capsys.readouterr().out == f"Nothing to check: 1 file skipped ({FOREIGN}).\n"


@pytest.mark.parametrize(
    "metadata", [{}, {"language_info": {"name": "python"}}, {"kernelspec": {"name": "my-env"}}, PYTHON]
)
def test_other_metadata_means_python(leak: Path, metadata: dict[str, Any]) -> None:
    leak.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), metadata=metadata)))
    assert main(["check", "leak.ipynb"]) == 1


def test_odd_cells_are_left_alone() -> None:
    other = code("SELECT 1", metadata={"vscode": {"languageId": "sql"}})
    cells = [None, 3, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, other, code("x = 1")]
    found = Notebook.decode("nb.ipynb", jupyter(notebook(*cells)))  # type: ignore[arg-type]
    assert [part.cell.number for part in found.parts] == [6]


# --- magics -------------------------------------------------------------------------------------------


def masked(source: str) -> list[str]:
    """The cell without the comments that tell masked lines apart."""
    found = magics.mask(source.split("\n"), "key")
    assert found is not None
    return [line.partition("# key")[0].rstrip() for line in found.lines]


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline", "get_ipython()"),
        ("!pip install {name}==$version", "get_ipython(name, version)"),
        ("!!ls", "get_ipython()"),
        ("?print", "get_ipython()"),
        ("model.fit??", "get_ipython()"),
        ("%timeit?", "get_ipython()"),
        ("files = !ls *.pt", "files = get_ipython()"),
        ("a, b = %who_ls int float", "a, b = get_ipython()"),
        ("    !nvidia-smi", "    get_ipython()"),
        ("%time x = f(y)", "0;    x = f(y)"),
        ("  %timeit -n 10 -r3 f(x)", "  0;" + " " * 16 + "f(x)"),
        ("out = %time f(x)", "out =       f(x)"),
        ("%time", "get_ipython()"),
        ("%time for x in y: z(x)", "get_ipython()"),
        ("/f 1 2", "get_ipython()"),
        ("%%time\nf(x)", "get_ipython()\nf(x)"),
        ("!ls \\\n  -l\nx = 1", "get_ipython()\n\nx = 1"),
        ("x = (a\n% b)\n%cd ..", "x = (a\n% b)\nget_ipython()"),
        ("x = '''\n%cd ..\n'''\n%cd ..", "x = '''\n%cd ..\n'''\nget_ipython()"),
        ("x = a \\\n% b", "x = a \\\n% b"),
        ("x = '%d' % y  # (\n!ls", "x = '%d' % y  # (\nget_ipython()"),
        ("s = 'a = !b'", "s = 'a = !b'"),
        ("if a != b: pass", "if a != b: pass"),
        ("x = y % 3 or '\\'['\n!ls", "x = y % 3 or '\\'['\nget_ipython()"),
    ],
)
def test_magics_become_python_in_the_same_columns(source: str, python: str) -> None:
    assert "\n".join(masked(source)) == python


@pytest.mark.parametrize(
    "magic", ["bash", "writefile a.py", "html", "cython", "R -i x", "unheard_of", "!ls", ""]
)
def test_cells_of_other_languages_are_left_out(magic: str) -> None:
    assert magics.mask([f"%%{magic}", "x = 1"], "key") is None


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("pip install torch\nls data\nx = 1", 1),
        ("    x = 1\n    y = 2", 1),
        ("await f()\nasync for x in y:\n    pass\nasync with a:\n    pass", 1),
        ("from __future__ import annotations", 1),
        (">>> x = 1\n>>> y", 0),
        ("", 1),
    ],
)
def test_what_ipython_runs_is_no_syntax_error(source: str, count: int) -> None:
    found = module("import torch", source)
    assert len(found.parts) == 1 + count
    assert not found.unreadable
    assert magics.parses(found.text)


def test_the_module_gives_the_cells_back() -> None:
    found = module("%cd ..\nx = 1\n", "%%time\ny = 2", "# memlint-cell 1", "")
    assert found.encode(found.text) == found.json.encode()
    assert [path for path, _, _ in found.changes(found.text.replace("y = 2", "y = 3"))] == ["nb.ipynb:cell 2"]
    for touched in ("", "z = 1\n" + found.text, found.text.replace("get_ipython()", "pass")):
        with pytest.raises(SourceError):
            found.encode(touched)


# --- properties ---------------------------------------------------------------------------------------

_LINES = st.lists(st.text(st.characters(exclude_characters="\r\n"), max_size=8), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(_LINES, _LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans(), st.booleans())
def test_any_lines_can_replace_any_source(
    old: list[str], new: list[str], end: str, as_list: bool, ascii_only: bool, indented: bool
) -> None:
    joined = end.join(old)
    parts = LINE_END.split(joined)
    listed = [f"{line}{end}" for line in parts[:-1]] + [line for line in parts[-1:] if line]
    content = {"source": listed if as_list else joined, "after": "\u00e9"}
    text = json.dumps(content, ensure_ascii=ascii_only, indent=2 if indented else None)
    place = members(text, 0)["source"]
    assert with_lines(text, place, parts) == text[place[0] : place[1]]
    changed = text[: place[0]] + with_lines(text, place, new) + text[place[1] :]
    source = json.loads(changed)["source"]
    kept = LINE_END.split("".join(source))
    assert kept == new
    assert json.loads(changed)["after"] == "\u00e9"
    assert isinstance(source, list) is as_list


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_values_stand_where_they_are_said_to_stand(value: Any) -> None:
    text = " " + json.dumps({"a": value, "b": [value, value]}, indent=1)
    found = members(text, 1)
    assert json.loads(text[slice(*found["a"])]) == value
    assert [json.loads(text[slice(*place)]) for place in elements(text, found["b"][0])] == [value, value]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab=%!?# \n\t\\'\"()[{", max_size=30), max_size=4))
def test_no_cell_is_lost_whatever_it_says(sources: list[str]) -> None:
    found = module(*sources)
    assert found.encode(found.text) == found.json.encode()
    assert magics.parses(found.text)


# --- borders ------------------------------------------------------------------------------------------

SCORING = """\
net.eval()
for x in rows:
    print(net(x).argmax(1).tolist())"""
IMPORTS = "%cd ..\nfrom torch import nn, ones\n\nnet = nn.Linear(4, 1)\nrows = [ones(1, 4)]"


def test_a_missing_import_goes_to_the_first_imports(leak: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leak.write_bytes(jupyter(notebook(code("x = 1"), code(IMPORTS), code("import os"), code(SCORING))))
    main(["check", "leak.ipynb"])
    assert "\n  = and: in cell 2: `import torch`\n" in capsys.readouterr().out
    assert main(["check", "leak.ipynb", "--fix"]) == 0
    sources = ["".join(cell["source"]) for cell in json.loads(leak.read_bytes())["cells"]]
    assert sources[1] == IMPORTS.replace("ones\n", "ones\nimport torch\n")
    assert sources[3].splitlines()[1] == "with torch.no_grad():"


def test_no_import_is_added_where_it_would_come_too_late(
    leak: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    function = f"def score(rows):\n{textwrap.indent(SCORING, '    ')}"
    before = jupyter(notebook(code(function), code(IMPORTS), code("score(rows)")))
    leak.write_bytes(before)
    assert main(["check", "leak.ipynb", "--fix", "--unsafe-fixes", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("leak.ipynb:cell 1:4:15: MEM201 `net(x)`")
    assert leak.read_bytes() == before


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
