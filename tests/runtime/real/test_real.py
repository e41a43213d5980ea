"""Whole training scripts: they are trained, and their peak is the one that was counted without memlint.

`expected.toml` says what is expected. A part of the scripts is replayed here, without fixes; all of them,
with fixes and on a simulated GPU too, by `python -m benchmarks.real_scripts`, which writes the page that is
read here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.real_scripts import __main__ as command
from benchmarks.real_scripts.compare import problems
from benchmarks.real_scripts.scripts import FOLDER, Expected, expectations, replayed, truth
from benchmarks.real_scripts.table import Replayed, Results, Row, markdown, read, write
from tests.runtime.support import needs_torch

EXPECTED = expectations()
LEAN = [expected for expected in EXPECTED.values() if expected.lean]
HELPERS = {"terminal", "transforms"}
"""Files of `scripts` that others import."""

REPLAYED = Replayed("the script ended", 9, 0, 20.0, 5.0, 3, 1024, 2048, "backward", "a.py:3")
ROW = Row("a", "an | example", 1.5, 1024, 2048, {"cpu": REPLAYED, "simulate": replace(REPLAYED, invented=7)})


def named(expected: Expected) -> str:
    return expected.name


@needs_torch
@pytest.mark.parametrize("expected", LEAN, ids=named)
def test_a_script_is_trained_and_measured_to_the_byte(expected: Expected, tmp_path: Path) -> None:
    if expected.missing:
        pytest.skip(f"{expected.missing} is not installed")
    ran = replayed(expected.name, tmp_path, "cpu", fixes=False)
    found = problems(ran.session, replace(expected, findings=()), {})
    assert [text for text in found if not text.startswith("MEM")] == []
    confirmed = any(judged.verdict.status == "confirmed" for judged in ran.session.findings)
    assert ran.code == (1 if expected.grows or confirmed else 0)
    assert ("no step ran" in ran.text) is False


@needs_torch
def test_a_script_is_counted_without_memlint(tmp_path: Path) -> None:
    expected = EXPECTED["siamese"]
    assert truth("siamese", "tensors", tmp_path)["peak"] == expected.peak


def test_every_script_has_its_expectation_and_its_row() -> None:
    scripts = {path.stem for path in (FOLDER / "scripts").glob("*.py")} - HELPERS
    assert scripts == set(EXPECTED)
    assert len(scripts) >= 15
    committed = read(command.PAGE.with_suffix(".json"))
    assert committed is not None
    assert set(committed.rows) == scripts
    assert markdown(committed) == command.PAGE.read_text(encoding="utf-8")


def test_the_committed_replays_are_as_expected() -> None:
    committed = read(command.PAGE.with_suffix(".json"))
    assert committed is not None
    assert [text for row in committed.rows.values() for text in command.complaints(row)] == []
    for name, row in committed.rows.items():
        if not row.skipped:
            assert row.replays["cpu"].peak == EXPECTED[name].peak
            assert row.replays["simulate"].steps >= EXPECTED[name].steps


def test_the_page_is_written_from_its_data(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    rows = {"a": ROW, "b": Row("b", "x", skipped="y is not installed")}
    results = Results("here", "now", ("1.05x",), "all options", rows)
    write(results, page)
    assert read(page.with_suffix(".json")) == results
    text = page.read_text(encoding="utf-8")
    assert "| `a` | an \\| example | 9 | the script ended | 1.5 s | 20.0 s (3 runs) | 5.0 s | 1,024 |" in text
    assert "- `b`: y is not installed" in text
    assert text.endswith("None.\n")
    wrong = replace(ROW, replays={"cpu": replace(REPLAYED, problems=("peak of 1 B",))})
    assert "- `a` (cpu): peak of 1 B" in markdown(replace(results, rows={"a": wrong}))
    assert command.complaints(wrong) == ["a (cpu): peak of 1 B"]


def test_an_unknown_script_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["no_such_script"]) == 2
    assert "no such script: no_such_script" in capsys.readouterr().err
