"""A part of the evidence table is measured anew: the verdicts that are committed still come out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.support import needs_torch

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "benchmarks" / "evidence" / "scripts").glob("*.py"))


@needs_torch
def test_a_subset_of_the_table_is_reproduced() -> None:
    subset = ("MEM101_not_reached", "MEM902_removed")
    command = [sys.executable, "-m", "benchmarks.evidence", "--device", "cpu", *subset]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert made.returncode == 0, made.stderr
    committed = (ROOT / "docs" / "evidence-cpu.md").read_text(encoding="utf-8")
    rows = [line for line in made.stdout.splitlines() if line.startswith("| MEM")]
    assert len(rows) == 2
    assert all(row in committed for row in rows)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_has_its_row_with_the_expected_verdict(path: Path) -> None:
    expected = re.match(r"# claim: (\S+), expected: (\w+) \(.+\)\n", path.read_text(encoding="utf-8"))
    assert expected is not None
    committed = (ROOT / "docs" / "evidence-cpu.md").read_text(encoding="utf-8")
    (row,) = [line for line in committed.splitlines() if line.startswith(f"| {path.stem} |")]
    assert f"| {expected[1]} |" in row
    assert f"| {expected[2]} |" in row
