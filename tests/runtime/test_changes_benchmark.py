"""The benchmark of suggested changes: what counts as the same code, what is kept, what the page says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated import by_hand, changes, runs
from benchmarks.simulated.table import Figures

MIB = 1 << 20
CODE = '"""A script."""\nx = 1\nprint(x)\n'
DIFF = "--- script.py\n+++ script.py\n@@ -1,3 +1,3 @@\n \"\"\"A script.\"\"\"\n-x = 1\n+x = 2\n print(x)\n"


def remedy(name: str, saved: int, diff: str = "") -> dict[str, Any]:
    return {"name": name, "line": 2, "diff": diff, "saved": saved * MIB, "tensors": saved * MIB}


@pytest.fixture
def case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A script of which two changes are suggested that can be run, and one that is only described."""
    (tmp_path / "own.py").write_text(CODE, encoding="utf-8")
    monkeypatch.setattr(changes, "CASES", {"own": "own.py"})
    monkeypatch.setattr(runs, "SCRIPTS", tmp_path)
    suggested = [
        remedy("smaller", 30, DIFF),
        remedy("expandable segments", 10),
        remedy("paged optimizer states", 5),
    ]
    peaks = Figures(100 * MIB, 120 * MIB, "2.13.0")
    monkeypatch.setattr(changes, "suggested", lambda name: (peaks, suggested))
    less = {True: 29, False: 10}
    monkeypatch.setattr(changes, "reserved", lambda code, environment: (120 - less[code != CODE]) * MIB)
    return "own"


def on_a_gpu(monkeypatch: pytest.MonkeyPatch, problem: str = "") -> None:
    """Stands in for the GPU: a changed script takes 32 MiB less, or ends with a problem."""

    def run(code: str, environment: dict[str, str]) -> runs.Real:
        less = 32 * MIB if code != CODE or environment else 0
        ended = problem if code != CODE else ""
        return runs.Real(100 * MIB - less, 120 * MIB - less, 0, "2.11.0", ended, "")

    monkeypatch.setattr(runs, "real_code", run)


def test_formatting_and_docstring_do_not_make_other_code() -> None:
    assert changes.digest(CODE, {}) == changes.digest("x=1\nprint( x )  # the same\n", {})
    assert changes.digest(CODE, {}) != changes.digest("x = 2\nprint(x)\n", {})
    assert changes.digest(CODE, {}) != changes.digest(CODE, {"A": "1"})


def test_what_was_measured_stays_where_the_changed_code_is_the_same(
    case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_a_gpu(monkeypatch)
    measured = changes.measure(case, real=True, earlier=None)
    assert [change.name for change in measured.changes] == ["smaller, line 2", "expandable segments, line 2"]
    assert changes.measure(case, real=False, earlier=measured) == measured
    (tmp_path / "own.py").write_text(CODE + "print(x)\n", encoding="utf-8")
    again = changes.measure(case, real=False, earlier=measured)
    assert again.real is None
    assert [change.real for change in again.changes] == [None, None]


def test_the_page_says_what_was_saved(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_gpu(monkeypatch)
    page = changes.markdown(changes.Table("A card", {case: changes.measure(case, real=True, earlier=None)}))
    assert "2 changes ran: what is saved of the need is met with a median error of 12 MiB" in page
    assert "2 changes were written into the scripts and simulated again" in page
    assert "but for 3.3 % at most" in page
    assert "| own | peaks as it is | 120 | - | 120 | 100 | 100 |" in page
    assert "| | smaller, line 2 | 30 | 29 | 32 | 30 | 32 |" in page


def test_a_change_that_ends_the_script_saves_nothing(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on_a_gpu(monkeypatch, "RuntimeError: it raised")
    page = changes.markdown(changes.Table("A card", {case: changes.measure(case, real=True, earlier=None)}))
    assert "| | smaller, line 2 | 30 | 29 | RuntimeError: it raised | 30 | - |" in page
    assert "1 changes ran" in page


def test_what_is_only_described_is_changed_by_hand() -> None:
    for case, change in by_hand.EDITS:
        code = (runs.SCRIPTS / changes.CASES[case]).read_text(encoding="utf-8")
        made = by_hand.changed(case, change, code)
        assert made is not None
        assert made != code
        compile(made, case, "exec")
    assert by_hand.changed("own", "smaller", CODE) is None
    with pytest.raises(RuntimeError, match="the script has no"):
        by_hand.changed("triplet", "step in backward", CODE)
