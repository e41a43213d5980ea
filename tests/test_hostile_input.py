"""Files of strangers: memlint ends in a sentence and lets none of them drive a terminal or a service."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlint.__main__ import main
from memlint.plain import clean
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


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_loops_of_links_end(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inner").mkdir()
    Path("inner", "up").symlink_to("..")
    Path("inner", "self.py").symlink_to("self.py")
    Path("train.py").write_text(LEAK, encoding="utf-8")
    assert main(["check", ".", *ONLY, "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("MEM101") == 1
