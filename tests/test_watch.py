"""`--watch`, progress, and the options that show what would be checked."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from memlint.commands.checking import watch as watching
from memlint.commands.checking.progress import Progress
from tests.command import ENVIRONMENT, FIXED, LEAK, ONLY, Run


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    script = tmp_path / "train.py"
    script.write_text(LEAK, encoding="utf-8")
    options = ("--watch", *ONLY, "--output-format", "concise")
    command = [sys.executable, "-m", "memlint", "check", "train.py", *options]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # What a shell starts in the background, these tests for instance, ignores it.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL) if os.name != "nt" else None,
    )
    yield script, process
    process.kill()
    process.wait()


def until(process: subprocess.Popen[str], last: str) -> str:
    """What the process says up to a line that starts so."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if line.startswith(last):
            return said
    raise AssertionError(f"it ended: {said}")


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_a_change_is_checked_again(watched: tuple[Path, subprocess.Popen[str]]) -> None:
    script, process = watched
    waiting = "memlint: watching for changes"
    assert "train.py:11:5: warning: MEM101" in until(process, waiting)
    script.write_text(FIXED, encoding="utf-8")
    assert "MEM101" not in until(process, waiting)
    script.with_name("memlint.toml").write_text("ignor = []\n", encoding="utf-8")
    assert "unknown key `ignor`" in until(process, waiting)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130


def test_what_lies_beside_a_file_is_watched_too(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import helper\n", encoding="utf-8")
    before = watching._state([str(tmp_path / "train.py")])
    (tmp_path / "helper.py").write_text("x = 1\n", encoding="utf-8")
    with_helper = watching._state([str(tmp_path / "train.py")])
    assert with_helper.keys() - before.keys() == {str(tmp_path / "helper.py")}
    (tmp_path / "helper.py").write_text("x = 12\n", encoding="utf-8")
    changed = watching._state([str(tmp_path / "train.py")])
    assert changed != with_helper
    assert watching._state([str(tmp_path / "train.py")]) == changed


# --- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(total: int, out: io.StringIO, seconds_each: float) -> str:
    now = [0.0]
    progress = Progress(total, out, lambda: now[0])
    for _ in range(total):
        now[0] += seconds_each
        progress()
    progress.clear()
    return out.getvalue()


def test_a_long_check_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    said = told(100, Terminal(), 0.5).split("\r\x1b[K")
    assert said[1] == "memlint: 2 of 100 files checked, about 49 s left"
    assert said[-2:] == ["memlint: 100 of 100 files checked, about 0 s left", ""]
    assert "about 3 min left" in told(100, Terminal(), 2)


@pytest.mark.parametrize(
    ("total", "out", "seconds", "terminal"),
    [
        (100, io.StringIO(), 1, "xterm"),
        (100, Terminal(), 0.001, "xterm"),
        (10, Terminal(), 1, "xterm"),
        (99, Terminal(), 1, "dumb"),
    ],
)
def test_progress_is_silent(
    monkeypatch: pytest.MonkeyPatch, total: int, out: io.StringIO, seconds: float, terminal: str
) -> None:
    monkeypatch.setenv("TERM", terminal)
    assert told(total, out, seconds) == ""


# --- what would be checked


def test_files_and_settings_are_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name in ("train.py", "src/net.py", "src/notes.txt"):
        (tmp_path / name).write_text("import torch\n", encoding="utf-8")
    (tmp_path / "memlint.toml").write_text('exclude = ["src"]\nadvice = true\n', encoding="utf-8")
    assert run("check", "--show-files").out == "train.py\n"
    assert run("check", "src", "--show-files", "--config", "exclude = []").out == "src/net.py\n"
    shown = run("check", "src", "--show-settings")
    assert shown.code == 0
    assert "advice = true  # memlint.toml\n" in shown.out
    assert shown.out == run("config", "--file", "src").out
    missing = run("check", "none.py", "--show-files")
    assert (missing.code, missing.out) == (2, "")
