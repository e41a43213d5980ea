"""Nothing is lost when `--fix` is disturbed: benchmarks.reliability, with few files and rounds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="limits of processes are of Unix")

from benchmarks.reliability import FAULTS, OLD, Outcome


@pytest.mark.parametrize(
    ("fault", "files", "rounds"),
    [("killed", 6, 2), ("small-files", 3, 1), ("two-at-once", 6, 1), ("edited", 6, 1), ("cache", 4, 2)],
)
def test_nothing_is_lost(tmp_path: Path, fault: str, files: int, rounds: int) -> None:
    random.seed(fault)
    tree = tmp_path / "tree"
    tree.mkdir()
    found = FAULTS[fault](tree, files, rounds)
    assert found.lost == []
    assert found.rounds == rounds
    assert found.old + found.new == files * rounds


def test_what_is_lost_is_seen(tmp_path: Path) -> None:
    (tmp_path / "train_0.py").write_text(OLD.format(number=0)[:-9], encoding="utf-8")
    (tmp_path / "train_1.py").write_text(OLD.format(number=1), encoding="utf-8")
    (tmp_path / ".train_1.py.0.py").touch()
    found = Outcome()
    found.look(tmp_path, 2, frozenset({"train_1.py"}))
    names = [line.split(": ")[1] for line in found.lost]
    assert names == [".train_1.py.0.py", "train_0.py", "train_1.py"]
