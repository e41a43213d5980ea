"""A part of the evidence table is measured anew: the verdicts that are committed still come out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.evidence.__main__ import merged
from tests.runtime.support import needs_torch

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "benchmarks" / "evidence" / "scripts").glob("*.py"))


@needs_torch
def test_a_subset_of_the_table_is_reproduced() -> None:
    subset = ("MEM101_not_reached", "MEM112_logits", "MEM902_removed")
    command = [sys.executable, "-m", "benchmarks.evidence", "--device", "cpu", *subset]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert made.returncode == 0, made.stderr
    committed = (ROOT / "docs" / "evidence-cpu.md").read_text(encoding="utf-8")
    rows = [line for line in made.stdout.splitlines() if line.startswith("| MEM")]
    assert len(rows) == len(subset)
    assert all(row in committed for row in rows)


def test_rows_that_were_not_measured_anew_stay() -> None:
    head = "# Title\n\n| script | claim |\n|---|---|\n"
    earlier = head + "| MEM101_reached | old |\n| MEM902_removed | old |\n| MEM000_gone | old |\n"
    text = merged(head + "| MEM902_removed | new |\n", earlier)
    assert text == head + "| MEM101_reached | old |\n| MEM902_removed | new |\n"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_has_its_row_with_the_expected_verdict(path: Path) -> None:
    expected = re.match(r"# claim: (\S+), expected: (\w+) \(.+\)\n", path.read_text(encoding="utf-8"))
    assert expected is not None
    committed = (ROOT / "docs" / "evidence-cpu.md").read_text(encoding="utf-8")
    (row,) = [line for line in committed.splitlines() if line.startswith(f"| {path.stem} |")]
    assert f"| {expected[1]} |" in row
    assert f"| {expected[2]} |" in row
