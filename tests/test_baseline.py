"""Adopting memlint where there are old findings: what is known, what is new, what is fixed since."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlint.config.files import nearest
from tests.command import FIXED, LEAK, ONLY, Run
from tests.notebooks import LOOP, SETUP, code, jupyter, notebook

KNOWN = ("--baseline", "known.json")
SECOND = LEAK.replace(
    "print(",
    """more = 0.0
for step in range(9):
    loss = model(torch.ones(1, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    more += loss
print(float(more), """,
)


@pytest.fixture
def old(run: Run, tmp_path: Path) -> Path:
    """A project with fifty old findings and a baseline of them."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    for number in range(25):
        (tmp_path / "src" / f"t{number}.py").write_text(SECOND, encoding="utf-8")
    answer = run("check", *ONLY, *KNOWN, "--write-baseline")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "memlint: wrote 50 findings to known.json\n"
    return tmp_path


def test_fifty_old_findings_are_silent_and_one_new_one_is_seen(run: Run, old: Path) -> None:
    quiet = run("check", *ONLY, *KNOWN)
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out.endswith("50 findings of the baseline left out.\n")
    (old / "src" / "new.py").write_text(LEAK, encoding="utf-8")
    answer = run("check", *ONLY, *KNOWN, "--output-format", "concise")
    assert answer.code == 1
    assert [line.partition(" ")[0] for line in answer.out.splitlines()] == ["src/new.py:11:5:"]
    document = json.loads(run("check", *ONLY, *KNOWN, "--output-format", "json").out)
    assert (len(document["findings"]), document["summary"]["in_baseline"]) == (1, 50)


def test_lines_may_move_and_files_be_renamed(run: Run, old: Path) -> None:
    moved = old / "src" / "t0.py"
    moved.write_text("# a comment\n\n" + SECOND, encoding="utf-8")
    (old / "src" / "t1.py").rename(old / "renamed.py")
    (old / "lib").mkdir()
    (old / "src" / "t2.py").rename(old / "lib" / "t2.py")
    answer = run("check", *ONLY, *KNOWN)
    assert (answer.code, answer.err) == (0, "")


def test_a_copy_of_an_old_line_is_new(run: Run, old: Path) -> None:
    (old / "src" / "copy.py").write_text(SECOND, encoding="utf-8")
    assert run("check", *ONLY, *KNOWN, "--output-format", "concise").out.count("src/copy.py") == 2
    twice = SECOND.replace("    total += loss\n", "    total += loss\n    total += loss\n")
    (old / "src" / "t0.py").write_text(twice, encoding="utf-8")
    found = run("check", "src/t0.py", *ONLY, *KNOWN, "--output-format", "concise").out
    assert [line.partition(" ")[0] for line in found.splitlines()] == ["src/t0.py:12:5:"]


def test_what_is_fixed_since_is_told_and_taken_out(run: Run, old: Path) -> None:
    (old / "src" / "t3.py").write_text(FIXED, encoding="utf-8")
    (old / "src" / "t4.py").unlink()
    answer = run("check", *ONLY, *KNOWN)
    assert answer.code == 0
    head, *lines = answer.err.splitlines()
    assert head.startswith("memlint: 4 findings of known.json fixed since it was written; --write-baseline")
    assert sorted(line.split()[1] for line in lines) == ["src/t3.py:"] * 2 + ["src/t4.py:"] * 2
    assert run("check", *ONLY, *KNOWN, "-q").err == ""
    assert run("check", "src/t5.py", *ONLY, *KNOWN).err.count("src/t3.py") == 0
    assert run("check", "--select", "MEM2", *KNOWN).err.count("src/t3.py") == 0
    assert run("check", *ONLY, *KNOWN, "--write-baseline").err == "memlint: wrote 46 findings to known.json\n"
    assert len(json.loads((old / "known.json").read_text("utf-8"))["findings"]) == 46


def test_writing_for_some_files_keeps_the_others(run: Run, old: Path) -> None:
    (old / "src" / "t6.py").write_text(FIXED, encoding="utf-8")
    run("check", "src/t6.py", *ONLY, *KNOWN, "--write-baseline")
    assert len(json.loads((old / "known.json").read_text("utf-8"))["findings"]) == 48
    assert run("check", *ONLY, *KNOWN).code == 0


def test_one_entry_stands_on_one_line_in_order(old: Path) -> None:
    lines = (old / "known.json").read_text("utf-8").splitlines()
    assert len(lines) == 52
    paths = [json.loads(line.rstrip(","))["path"] for line in lines[1:-1]]
    assert paths == sorted(paths)
    assert paths[0] == "src/t0.py"


def test_settings_may_name_it(run: Run, old: Path) -> None:
    (old / "memlint.toml").write_text('select = ["MEM101"]\nbaseline = "known.json"\n', encoding="utf-8")
    nearest.cache_clear()
    assert run("check").code == 0
    assert run("check", "src").code == 0
    assert 'baseline = "known.json"' in run("config").out
    assert run("check", "--isolated", *ONLY).code == 1


def test_text_from_stdin_is_compared_too(run: Run, old: Path) -> None:
    name = ("--stdin-filename", "src/t0.py")
    assert run("check", "-", *name, *ONLY, *KNOWN, stdin=SECOND.encode()).code == 0
    other = SECOND.replace("total", "whole")
    assert run("check", "-", *name, *ONLY, *KNOWN, stdin=other.encode()).code == 1


def test_cells_of_a_notebook(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "leak.ipynb"
    path.write_bytes(jupyter(notebook(code(SETUP), code(LOOP))))
    run("check", *ONLY, *KNOWN, "--write-baseline")
    assert run("check", *ONLY, *KNOWN).code == 0
    path.write_bytes(jupyter(notebook(code("x = 1"), code(SETUP), code(LOOP))))
    assert run("check", *ONLY, *KNOWN).code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "known.json: there is no such baseline (make it with --write-baseline)"),
        ("{", "known.json: not a baseline of memlint"),
        ("[]", "known.json: not a baseline of memlint"),
        ('{"version": 9, "findings": []}', "version 9, this memlint reads 1"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "known.json: not a baseline of memlint"),
    ],
)
def test_a_baseline_that_is_none(
    run: Run, tmp_path: Path, leak: Path, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "known.json").write_text(content, encoding="utf-8")
    answer = run("check", *ONLY, *KNOWN)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_file_must_be_named_and_nothing_else_be_changed(run: Run, leak: Path) -> None:
    assert "add --baseline memlint-baseline.json" in run("check", "--write-baseline").err
    assert run("check", *KNOWN, "--write-baseline", "--fix").code == 2
    assert leak.read_text(encoding="utf-8") == LEAK


def test_a_finding_as_severe_as_its_secondary_places_is_told_when_it_is_gone(
    run: Run, tmp_path: Path, leak: Path
) -> None:
    run("check", *ONLY, *KNOWN, "--write-baseline")
    file = tmp_path / "known.json"
    raised = file.read_text("utf-8").replace('"warning"', '"error"')
    assert raised != file.read_text("utf-8")
    file.write_text(raised, encoding="utf-8")
    leak.write_text(FIXED, encoding="utf-8")
    assert "1 finding of known.json fixed since" in run("check", *ONLY, *KNOWN).err
