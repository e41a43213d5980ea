"""A part of the evidence table is measured again: the verdicts that are committed still come out."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.evidence import __main__ as evidence
from benchmarks.evidence.table import NOT_RUN, Batch, Evidence, Place, Row, markdown, peaks, read, write
from memlint import catalogue
from tests.runtime.support import memlint, needs_torch

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "evidence-cpu.md"
SCRIPTS = sorted((ROOT / "benchmarks" / "evidence" / "scripts").glob("*.py"))
HERE = Place("0.2.0", "cpu", "x86_64", "2.13.0", "3.11.7")
ROW = Row("MEM101_reached", "PEAK", "P", "confirmed", "confirmed", "1 MiB", "lower | now", "abc", 12.0)


class InTurn(ThreadPoolExecutor):
    """Does at once what it is asked: the command line takes signals over, which only the main thread can."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(function(*args, **kwargs))
        return done


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_subset_of_the_table_is_reproduced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    subset = ("MEM101_not_reached", "MEM112_logits", "MEM902_removed")

    def run(command: Sequence[str], cwd: Path, **_: object) -> SimpleNamespace:
        assert command[1:3] == ["-m", "memlint"]
        return memlint(cwd, *command[3:])

    monkeypatch.setattr(evidence, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setattr(evidence, "ThreadPoolExecutor", InTurn)
    assert evidence.main(["--device", "cpu", *subset]) == 0
    shown = capsys.readouterr().out
    committed = PAGE.read_text(encoding="utf-8")
    rows = [line for line in shown.splitlines() if line.startswith("| MEM")]
    assert len(rows) == len(subset)
    assert all(row in committed for row in rows)


@functools.cache
def on_the_page() -> Evidence:
    found = read(PAGE.with_suffix(".json"))
    assert found is not None
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_has_its_row_with_the_expected_verdict(path: Path) -> None:
    expected = evidence.EXPECTED.match(path.read_text(encoding="utf-8"))
    assert expected is not None
    committed = on_the_page()
    row = committed.rows[path.stem]
    assert row.digest == evidence.digest(path), "the script has changed since it was measured"
    # A machine that other jobs keep busy can leave a difference in time open, never turn it round.
    open_ends = {"inconclusive"} if expected[1] == "TIME" else set()
    assert row.claim == expected[1]
    assert row.status in {expected[2], *open_ends}


def test_every_rule_that_can_be_replayed_has_a_script() -> None:
    # What is an opportunity, `memlint fit` measures on the script itself: test_fit_opportunities.py.
    judged = [rule for rule in catalogue.load() if rule.variants["default"].concern != "opportunity"]
    rules = {rule.code for rule in judged if rule.detector != catalogue.META}
    assert {code for code in rules if code.startswith("MEM")} == {
        path.stem.partition("_")[0] for path in SCRIPTS
    }


def test_the_page_is_the_data_and_has_every_script() -> None:
    committed = read(PAGE.with_suffix(".json"))
    assert committed is not None
    assert markdown(committed) == PAGE.read_text(encoding="utf-8")
    assert sum(run.scripts for run in committed.runs) >= len(SCRIPTS)
    assert sorted(committed.rows) == [path.stem for path in SCRIPTS]


def test_what_was_measured_elsewhere_is_not_mixed_in(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    earlier = Evidence(
        HERE, (Batch("then", 60.0, 1),), {"MEM102_losses": replace(ROW, script="MEM102_losses")}
    )
    write(earlier, page)
    table = evidence.Table(read(page.with_suffix(".json")), page)
    table.add((ROW, HERE))
    found = read(page.with_suffix(".json"))
    assert found is not None
    assert sorted(found.rows) == ["MEM101_reached", "MEM102_losses"]
    assert "In 2 runs: 1 scripts in 60 s from then; 1 scripts in" in page.read_text(encoding="utf-8")
    assert r"| lower \| now |" in page.read_text(encoding="utf-8")
    other = evidence.Table(earlier, page)
    other.add((ROW, replace(HERE, torch="2.14.0")))
    assert sorted(other.evidence().rows) == ["MEM101_reached"]
    with pytest.raises(RuntimeError, match="others on"):
        other.add((ROW, HERE))


def test_a_page_about_cuda_shows_what_the_allocator_counted() -> None:
    row = replace(ROW, peak=peaks(5_000, {"allocated_peak": 6_144, "reserved_peak": 2_097_152, "retries": 0}))
    there = replace(HERE, device="cuda:0", device_name="NVIDIA H200, driver 1.2")
    page = markdown(Evidence(there, (Batch("now", 9.0, 1),), {row.script: row}))
    assert "on NVIDIA H200, driver 1.2 (cuda:0), torch 2.13.0" in page
    assert "In one run: 1 scripts in 9 s from now." in page
    assert page.splitlines()[-1].endswith("| 5,000 | 6,144 | 2,097,152 |")


def test_the_budget_leaves_scripts_out_and_timed_ones_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def measure(path: Path, device: str) -> evidence.Measured:
        order.append(path.stem)
        if path.stem == "MEM902_removed":
            raise RuntimeError("it broke")
        return replace(ROW, script=path.stem), HERE

    monkeypatch.setattr(evidence, "measure", measure)
    chosen = [path for path in SCRIPTS if path.stem in ("MEM125_anomaly", "MEM112_logits", "MEM902_removed")]
    found: list[str] = []
    late, problems = evidence.run(chosen, "cpu", 2, 60.0, lambda pair: found.append(pair[0].script))
    assert (late, problems, found) == ([], ["it broke"], ["MEM112_logits", "MEM125_anomaly"])
    assert order[-1] == "MEM125_anomaly"
    late, problems = evidence.run(chosen, "cpu", 2, 0.0, lambda pair: None)
    assert (sorted(late), problems) == (sorted(path.stem for path in chosen), [])


def test_a_verdict_that_is_not_the_expected_one_is_named() -> None:
    wrong = replace(ROW, status="refuted")
    unknown = replace(ROW, expected="not_measurable")
    absent = replace(ROW, status=NOT_RUN)
    assert evidence.unexpected([ROW, wrong, unknown, absent], on_gpu=False) == [wrong, unknown]
    assert evidence.unexpected([ROW, wrong, unknown, absent], on_gpu=True) == [wrong]
    behind_a_test = replace(ROW, expected="not_reached", status="not_measurable")
    assert evidence.unexpected([behind_a_test], on_gpu=False) == [behind_a_test]
    assert evidence.unexpected([behind_a_test], on_gpu=True) == []


def test_without_a_gpu_nothing_is_replayed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evidence, "has_cuda", lambda: False)
    monkeypatch.setattr(sys, "argv", ["evidence", "--device", "cuda"])
    assert evidence.main() == 2
    assert capsys.readouterr().err == "--device cuda: torch finds no CUDA device\n"


def test_a_script_whose_package_is_missing_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "MEM000_needy.py"
    path.write_text("# claim: PEAK, expected: confirmed (x)\n# needs: no_such_package\n", encoding="utf-8")
    row, place = evidence.measure(path, "cpu")
    assert (row.status, row.reason, place) == (NOT_RUN, "no_such_package is not installed", None)
    assert re.fullmatch("[0-9a-f]{16}", row.digest)
