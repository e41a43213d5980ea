"""Files of strangers: memlint ends in a sentence and lets none of them drive a terminal or a service."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memlint.__main__ import main
from memlint.commands.checking.watch import watch
from memlint.plain import clean
from tests.command import ENVIRONMENT
from tests.test_bad_input import LEAK

NESTED = "[" * 100_000
NAME = "a\n\x1b[31m::error::<b>|`\u202e.py"
TEXT = "</script><!--<script>\"'><img src=x onerror=alert(1)>\x1b[31m\x9b\n::error::\u202e"
ONLY = ["--select", "MEM101", "--no-cache"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _is_harmless(line: str) -> bool:
    return clean(line) == line and not line.startswith("::")


@pytest.mark.parametrize(
    ("name", "text", "arguments"),
    [
        ("pyproject.toml", f"[tool.memlint]\nselect = {NESTED}", ["check", "train.py"]),
        ("pyproject.toml", f"[tool.memlint]\nselect = {'9' * 5000}", ["check", "train.py"]),
        ("uv.lock", f"package = {NESTED}", ["check", "train.py"]),
        ("Pipfile.lock", f'{{"default": {NESTED}', ["check", "train.py"]),
        ("base.json", NESTED, ["check", "train.py", "--baseline", "base.json"]),
        ("pack.toml", f"x = {NESTED}", ["check", "train.py", "--rule-pack", "pack.toml"]),
        ("book.ipynb", f'{{"cells": {NESTED}', ["check", "book.ipynb"]),
        ("s.json", NESTED, ["report", "s.json"]),
        ("s.json", f'{{"schema_version": 1, "arms": {NESTED}', ["compare", "s.json", "s.json"]),
        ("s.json", '{"schema_version": 1, "arms": ["x"], "findings": [1]}', ["annotate", "s.json"]),
        ("s.json", '{"schema_version": 1' + "0" * 5000 + "}", ["report", "s.json"]),
    ],
)
def test_nothing_nested_or_long_is_a_crash(
    capsys: pytest.CaptureFixture[str], name: str, text: str, arguments: list[str]
) -> None:
    Path("train.py").write_text("x = 1\n", encoding="utf-8")
    Path(name).write_text(text, encoding="utf-8")
    code = main(arguments)
    err = capsys.readouterr().err
    assert "Traceback" not in err
    # Lock files are not memlint's to complain about.
    assert (code, err.count("\n")) == ((0, 0) if "lock" in name else (2, 1))
    assert len(err) < 400


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize(
    "look", ["text", "concise", "github", "markdown", "json", "sarif", "gitlab", "junit"]
)
def test_a_name_drives_no_terminal_and_no_service(capsys: pytest.CaptureFixture[str], look: str) -> None:
    Path(NAME).write_text(LEAK, encoding="utf-8")
    Path("b" + NAME).write_bytes(b"# coding: nonsense\nimport torch\n")
    assert main(["check", ".", *ONLY, "--output-format", look]) == 2
    out, err = capsys.readouterr()
    lines = err.splitlines() + (out.split("\n") if look != "junit" else [])
    assert [line for line in lines if not (_is_harmless(line) or line.startswith("::warning "))] == []
    assert "\x1b" not in out + err


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("arguments", [[], ["--output-format", "concise"], ["--diff"], ["--show-files"]])
def test_no_line_is_a_command_in_the_log_of_a_workflow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Neither a file name nor a line of a docstring: a runner reads commands behind spaces, too."""
    inside = LEAK.replace("    total += loss\n", '    total += loss\n    """\n  ::add-mask::a\n    """\n')
    Path("::error::x.py").write_text(inside, encoding="utf-8")
    Path("##[error]x.py").write_text(LEAK, encoding="utf-8")

    def said() -> str:
        main(["check", ".", *ONLY, *arguments])
        return capsys.readouterr().out

    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    plain = said()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    first, *lines, last = said().splitlines()
    assert lines == plain.splitlines()
    command, _, token = first[2:].partition("::")
    assert (command, last) == ("stop-commands", f"::{token}::")
    assert len(token) == 32
    assert token not in plain


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_neither_does_the_name_of_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no" + NAME, *ONLY]) == 2
    assert main(["report", "no" + NAME]) == 2
    assert all(map(_is_harmless, capsys.readouterr().err.splitlines()))


@pytest.mark.skipif(shutil.which("git") is None or os.name == "nt", reason="needs git and a shell")
@pytest.mark.parametrize(
    "settings",
    [
        {"remote.origin.url": "ssh://nowhere/x", "core.sshCommand": "touch started; false"},
        {"remote.origin.url": "ext::sh -c touch% started", "protocol.ext.allow": "always"},
        {"remote.origin.url": "/tmp", "remote.origin.uploadpack": "touch started;"},
    ],
)
def test_a_repository_that_lacks_a_folder_starts_no_program_to_fetch_it(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    """git asks the program that a partial clone's configuration names for what `ls-files` misses."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]

    def call(*arguments: str) -> str:
        return subprocess.run([*git, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    call("init", "-q")
    for folder in ("inside", "outside"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "train.py").write_text(f"# {folder}\n{LEAK}", encoding="utf-8")
    call("add", "-A")
    call("commit", "-qm", "both")
    call("sparse-checkout", "init", "--cone", "--sparse-index")
    call("sparse-checkout", "set", "inside")
    tree = call("rev-parse", "HEAD:outside")
    (tmp_path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    partial = {"core.repositoryformatversion": "1", "extensions.partialClone": "origin"}
    for key, value in {**partial, "remote.origin.promisor": "true", **settings}.items():
        call("config", key, value)
    assert main(["check", ".", *ONLY]) == 1
    assert not (tmp_path / "started").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("place", ["/dev/zero", "pipe.json"])
def test_a_baseline_that_never_ends_is_not_read(capsys: pytest.CaptureFixture[str], place: str) -> None:
    os.mkfifo("pipe.json")
    Path("train.py").write_text(LEAK, encoding="utf-8")
    Path("memlint.toml").write_text(f'baseline = "{place}"\n', encoding="utf-8")
    assert main(["check", "train.py"]) == 2
    assert capsys.readouterr().err == f"memlint: error: {place}: the baseline is not a regular file\n"


def test_a_chain_of_settings_ends(capsys: pytest.CaptureFixture[str]) -> None:
    Path("memlint.toml").write_text('extend = "0.toml"\n', encoding="utf-8")
    for number in range(2000):
        Path(f"{number}.toml").write_text(f'extend = "{number + 1}.toml"\n', encoding="utf-8")
    assert main(["check", "."]) == 2
    assert "`extend` leads on for 50 files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", f"torch{' ' * 200_000}x\n"),
        ("requirements.txt", "\n" * 200_000),
        ("requirements.txt", f"torch=={'1' * 900}\ntorch<={'1' * 900}\n"),
        ("requirements.txt", f"torch=={'1' * 200_000}\n"),
        ("environment.yml", f"{'- ' * 100_000}torch=1\n"),
        ("environment.yml", "-\n" * 100_000),
        ("setup.py", f'"torch={{{"torch={," * 30_000}\n'),
    ],
)
def test_what_a_project_requires_is_read_in_a_moment(name: str, text: str) -> None:
    Path("train.py").write_text(LEAK, encoding="utf-8")
    Path(name).write_text(text, encoding="utf-8")
    before = time.process_time()
    assert main(["check", "train.py", *ONLY]) == 1
    assert time.process_time() - before < 10


@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
def test_no_worker_imports_from_the_current_folder(tmp_path: Path, start: str) -> None:
    """Workers of macOS and Windows, and of Linux since Python 3.14, start as `python -c`."""
    starter = tmp_path / "memlint_starter.py"
    lines = [
        "import multiprocessing, sys",
        "from memlint.__main__ import main",
        "if __name__ == '__main__':",
        f"    multiprocessing.set_start_method({start!r})",
        f"    sys.exit(main({['check', '-j2', '-q', *ONLY, '.']!r}))",
    ]
    starter.write_text("\n".join(lines), encoding="utf-8")
    here = _traps(tmp_path / "strangers")
    command = [sys.executable, starter]
    done = subprocess.run(command, cwd=here, env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert not (here / "started").exists()


def test_a_watched_folder_is_not_imported_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_traps(tmp_path / "strangers"))
    monkeypatch.setitem(os.environ, "PYTHONPATH", ENVIRONMENT["PYTHONPATH"])

    looks = iter([["train.py"]])
    with pytest.raises(StopIteration):  # at the second look, after the check
        watch(["-q", *ONLY, "train.py"], lambda: next(looks))
    assert not Path("started").exists()


def _traps(folder: Path) -> Path:
    """A folder with a script, and modules that a careless Python would take for those of memlint."""
    folder.mkdir()
    for name in ("train", "other"):
        (folder / f"{name}.py").write_text(LEAK, encoding="utf-8")
    for name in ("memlint", "multiprocessing", "pickle", "json", "libcst"):
        (folder / f"{name}.py").write_text("open('started', 'w')\nraise SystemExit(3)\n", encoding="utf-8")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_loops_of_links_end(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inner").mkdir()
    Path("inner", "up").symlink_to("..")
    Path("inner", "self.py").symlink_to("self.py")
    Path("train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", ".", *ONLY, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("MEM101") == 1
