"""Nothing is lost when `--fix` is disturbed: benchmarks.reliability, with few files and rounds."""

from __future__ import annotations

import errno
import os
import random
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="limits of processes are of Unix")

from benchmarks.reliability import FAULTS, OLD, Outcome
from memlint.errors import SourceError
from memlint.source import files


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


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file has its name from the start")
def test_a_file_that_is_being_written_has_no_name_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So nothing is left of it when the process is killed there, where nearly all of the time goes."""
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda handle: seen.append(sorted(os.listdir(tmp_path))))
    (tmp_path / "train.py").write_bytes(b"old")
    files.write(str(tmp_path / "train.py"), b"new", b"old")
    assert seen == [["train.py"]]
    assert (tmp_path / "train.py").read_bytes() == b"new"


@pytest.mark.parametrize("missing", ["open", "link"])
def test_a_file_system_without_nameless_files_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    real = os.open

    def refused(*given: object, **also: object) -> int:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    def opened(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & getattr(os, "O_TMPFILE", 0) == getattr(os, "O_TMPFILE", -1):
            refused()
        return real(path, flags, mode)

    monkeypatch.setattr(os, missing, opened if missing == "open" else refused)
    (tmp_path / "train.py").write_bytes(b"old")
    (tmp_path / "train.py").chmod(0o640)
    files.write(str(tmp_path / "train.py"), b"new", b"old")
    assert (tmp_path / "train.py").read_bytes() == b"new"
    assert (tmp_path / "train.py").stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["train.py"]


@pytest.mark.parametrize("fault", ["check", "replace"])
def test_a_failed_write_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def broken(*given: object) -> None:
        raise OSError(errno.EIO, "input/output error")

    if fault == "replace":
        monkeypatch.setattr(os, "replace", broken)
    (tmp_path / "train.py").write_bytes(b"old")
    with pytest.raises(SourceError):
        files.write(str(tmp_path / "train.py"), b"new", b"other" if fault == "check" else b"old")
    assert (tmp_path / "train.py").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["train.py"]
