"""Completion scripts: fresh, and of use in the shell that they are for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memlint.commands import COMMANDS
from memlint.commands.completion import FOLDER, SHELLS
from tests.command import Run
from tools import completions


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_completed(run: Run, shell: str) -> None:
    answer = run("completion", shell)
    assert answer.code == 0
    for word in (*COMMANDS, "unsafe-fixes", "nproc-per-node", "sarif"):
        assert word in answer.out


def test_the_scripts_are_fresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FOLDER, tmp_path / "scripts")
    assert completions.main(["--check"], tmp_path / "scripts") == 0
    (tmp_path / "scripts" / "memlint.fish").write_text("", encoding="utf-8")
    assert completions.main(["--check"], tmp_path / "scripts") == 1
    assert capsys.readouterr().err == "memlint.fish: stale; run python -m tools.completions\n"
    assert completions.main([], tmp_path / "scripts") == 0
    assert completions.main(["--check"], tmp_path / "scripts") == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("memlint ch", {"check"}),
        ("memlint check --unsafe", {"--unsafe-fixes"}),
        ("memlint check --output-format sa", {"sarif"}),
        ("memlint replay --device sim", {"simulate"}),
        ("memlint check tr", {"train.py"}),
    ],
)
def test_bash_completes(tmp_path: Path, words: str, expected: set[str]) -> None:
    (tmp_path / "train.py").touch()
    parts = words.split()
    code = (
        f"source '{FOLDER / 'memlint.bash'}'\n"
        f"COMP_WORDS=({words}); COMP_CWORD={len(parts) - 1}; COMP_LINE='{words}'; COMP_POINT={len(words)}\n"
        'name=$(complete -p memlint | sed "s/.*-F \\([^ ]*\\).*/\\1/")\n'
        'COMPREPLY=(); "$name" memlint "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert expected == {word.strip() for word in done.stdout.split()}, done.stderr
