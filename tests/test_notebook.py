"""Notebooks: what is read as Python, where findings are said to be, and which bytes a fix changes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlint.__main__ import main
from memlint.source import magics
from memlint.source.notebook import FOREIGN, Notebook
from memlint.source.rawjson import LINE_END, elements, members, with_lines
from tests.notebooks import (
    LOOP,
    PYTHON,
    SETUP,
    code,
    colab,
    jupyter,
    module,
    notebook,
)

# --- findings -----------------------------------------------------------------------------------------


def test_a_finding_names_cell_line_and_column(leaking: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "leak.ipynb", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.startswith("leak.ipynb:cell 3:8:5: warning: MEM101 [*] `total` keeps")


def test_the_text_report_shows_the_cell_as_it_is(leaking: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leaking.write_bytes(jupyter(notebook(code(SETUP), code(f"{LOOP}\n%time print(total)"))))
    main(["check", "leak.ipynb"])
    out = capsys.readouterr().out
    assert "\n7 |     total += loss\n  |     ^^^^^^^^^^^^^\n8 | %time print(total)\n" in out
    assert "\n7 -     total += loss\n7 +     total += loss.detach()\n" in out


def test_json_places_findings_notes_and_edits_in_cells(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", "leak.ipynb", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["cell"], found["line"], found["column"]) == (3, 8, 5)
    assert [(edit["cell"], edit["line"], edit["text"]) for edit in found["fix"]["edits"]] == [
        (3, 8, "loss.detach()")
    ]


def test_what_a_finding_says_about_another_cell_names_that_cell(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scoring = "for step in range(9):\n    scores = model(torch.randn(8, 4))\n    print(scores.sum())"
    leaking.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), code(scoring))))
    main(["check", "leak.ipynb", "--advice", "--output-format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    cells = {note["cell"] for found in findings for note in found["notes"] if "line" in note}
    assert {found["cell"] for found in findings} <= {2, 3}
    assert cells <= {1, 2, 3}
    assert cells


def test_folders_are_walked_for_notebooks_and_exclude_applies(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", ".", "--statistics"]) == 1
    assert "MEM101" in capsys.readouterr().out
    inner = leaking.parent / "inner"
    inner.mkdir()
    leaking.rename(inner / "leak.ipynb")
    (inner / "pyproject.toml").write_text('[tool.memlint]\nexclude = ["*.ipynb"]\n', encoding="utf-8")
    assert main(["check", "."]) == 0


@pytest.mark.parametrize(
    "comment", ["# memlint: ignore[MEM101] wanted", "# noqa: MEM101", "# memlint: file-ignore[MEM101]"]
)
def test_suppressions_work_in_cells(leaking: Path, comment: str) -> None:
    leaking.write_bytes(jupyter(notebook(code(SETUP), code(f"{LOOP}  {comment}"))))
    assert main(["check", "leak.ipynb"]) == 0


def test_a_cell_that_is_no_python_is_reported_and_the_others_checked(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leaking.write_bytes(jupyter(notebook(code(SETUP), code("x = 1\nprint 'x'"), code(LOOP), code("y = ("))))
    assert main(["check", "leak.ipynb", "--output-format", "concise"]) == 1
    assert [line.split(": ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "leak.ipynb:cell 2:2:1",
        "leak.ipynb:cell 3:7:5",
        "leak.ipynb:cell 4:1:5",
    ]


def test_a_cell_that_was_not_checked_does_not_look_clean(
    leaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leaking.write_bytes(colab(notebook(code(SETUP), code("x = '\ud83d'"), code(LOOP))))
    assert main(["check", "leak.ipynb", "--fix"]) == 1
    assert "leak.ipynb:cell 2:1:1: error[MEM001] syntax error" in capsys.readouterr().out
    assert b"total += loss.detach()" in leaking.read_bytes()


def test_stdin_is_a_notebook_when_its_name_says_so(
    leaking: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = leaking.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(before)))
    main(["check", "--fix", "--stdin-filename", "leak.ipynb"])
    after = capfdbinary.readouterr().out
    assert after == before.replace(b"total += loss", b"total += loss.detach()")


# --- input that is no use -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", ":1: is not valid JSON: Expecting value"),
        (b'{"cells": [', ":1: is not valid JSON: "),
        (b"[" * 100_000, ": cannot be read as JSON: "),
        (b'{"torch": "\xff"}', ": byte 0xff is not valid utf-8"),
        (b"[1]", ": is not a notebook: it has no list of cells"),
        (b'{"nbformat": 4}', ": is not a notebook: it has no list of cells"),
        (b'{"nbformat": 3, "worksheets": []}', ": is a notebook of the old format 3 (convert it"),
    ],
)
def test_bad_input_gives_one_line(
    leaking: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str
) -> None:
    leaking.write_bytes(data)
    assert main(["check", "--fix", "leak.ipynb"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"memlint: error: leak.ipynb{said}")
    assert err.count("\n") == 1
    assert leaking.read_bytes() == data


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
    leaking: Path, capsys: pytest.CaptureFixture[str], metadata: dict[str, Any]
) -> None:
    leaking.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), metadata=metadata)))
    assert main(["check", "leak.ipynb"]) == 0
    assert capsys.readouterr().out == f"Nothing to check: 1 file skipped ({FOREIGN}).\n"


@pytest.mark.parametrize(
    "metadata", [{}, {"language_info": {"name": "python"}}, {"kernelspec": {"name": "my-env"}}, PYTHON]
)
def test_other_metadata_means_python(leaking: Path, metadata: dict[str, Any]) -> None:
    leaking.write_bytes(jupyter(notebook(code(SETUP), code(LOOP), metadata=metadata)))
    assert main(["check", "leak.ipynb"]) == 1


def test_odd_cells_are_left_alone() -> None:
    other = code("SELECT 1", metadata={"vscode": {"languageId": "sql"}})
    cells = [None, 3, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, other, code("x = 1")]
    found = Notebook.decode("nb.ipynb", jupyter(notebook(*cells)))  # type: ignore[arg-type]
    assert [part.cell.number for part in found.parts] == [6]


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
