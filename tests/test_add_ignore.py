"""`--add-ignore`: a comment for every finding, the same program, and nothing left to report."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from memlint.edit.ignores import with_ignores
from tests.command import LEAK, ONLY, Run
from tests.notebooks import LOOP, SETUP, code, jupyter, notebook
from tests.test_reports import at, finding

HEAD = LEAK[: LEAK.index("    total += loss")]


def loop(body: str) -> str:
    """The leaking script with other statements at the end of its loop, and one list to keep things in."""
    return HEAD.replace("total = 0.0\n", "total = 0.0\nkept = []\n") + body + "print(float(total))\n"


SHAPES = {
    "plain": ("    total += loss\n", "    total += loss  # memlint: ignore[MEM101] WHY\n"),
    "two codes on a line": (
        "    total += loss; kept.append(loss)\n",
        "    total += loss; kept.append(loss)  # memlint: ignore[MEM101, MEM102] WHY\n",
    ),
    "a comment": (
        "    total += loss  # noqa: E501   \n",
        "    total += loss  # noqa: E501  # memlint: ignore[MEM101] WHY\n",
    ),
    "an ignore of another rule": (
        "    total += loss  # memlint: ignore[MEM103] known\n",
        "    total += loss  # memlint: ignore[MEM103, MEM101] known\n",
    ),
    "several lines": (
        "    kept.append(\n        loss\n    )\n",
        "    kept.append(  # memlint: ignore[MEM102] WHY\n        loss\n    )\n",
    ),
    "a string before": (
        '    s = """a\n    b""" + str(kept.append(loss))\n',
        '    s = """a\n    b""" + str(kept.append(loss))  # memlint: ignore[MEM102] WHY\n',
    ),
    "a string behind": (
        '    kept.append(loss); s = """a\n    b"""\n',
        '    kept.append(loss); s = """a\n    b"""  # memlint: ignore[MEM102] WHY\n',
    ),
    "a backslash": (
        "    total = total + \\\n        loss\n",
        "    total = total + \\\n        loss  # memlint: ignore[MEM101] WHY\n",
    ),
    "windows": ("    total += loss\r\n", "    total += loss  # memlint: ignore[MEM101] WHY\r\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_a_line_takes_its_comment(run: Run, tmp_path: Path, shape: str) -> None:
    before, after = (loop(text) for text in SHAPES[shape])
    if shape == "windows":
        before, after = (text.replace("\r\n", "\n").replace("\n", "\r\n") for text in (before, after))
    script = tmp_path / "train.py"
    script.write_bytes(before.encode())
    selected = ("--select", "MEM101,MEM102")
    answer = run("check", "train.py", *selected, "--add-ignore=WHY")
    assert script.read_bytes().decode() == after
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(before))
    assert answer.code == 0
    assert answer.err.startswith("memlint: ignored ")
    again = run("check", "train.py", *selected, "--add-ignore=WHY")
    assert (again.code, again.err, script.read_bytes().decode()) == (0, "", after)


def test_the_last_line_may_have_no_end() -> None:
    text, written = with_ignores("a = 1\nb = 2", [finding(at(2, 1, 2))], "")
    assert text == "a = 1\nb = 2  # memlint: ignore[MEM101]"
    assert len(written) == 1


def test_a_diff_shows_the_comments_and_writes_nothing(run: Run, leak: Path) -> None:
    answer = run("check", "train.py", *ONLY, "--add-ignore", "--diff")
    assert answer.code == 1
    assert "+    total += loss  # memlint: ignore[MEM101]\n" in answer.out
    assert answer.err == "memlint: would ignore 1 finding in 1 file\n"
    assert leak.read_text(encoding="utf-8") == LEAK


def test_what_follows_a_bare_option_is_a_path(run: Run, leak: Path) -> None:
    assert run("check", "--add-ignore", "train.py", *ONLY).code == 0
    assert "ignore[MEM101]\n" in leak.read_text(encoding="utf-8")


def test_stdin_gives_the_text_with_comments(run: Run) -> None:
    answer = run("check", "-", *ONLY, "--add-ignore=later", stdin=LEAK.encode())
    assert answer.out == LEAK.replace("total += loss", "total += loss  # memlint: ignore[MEM101] later")


def test_a_notebook_takes_comments_in_its_cells(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "leak.ipynb"
    path.write_bytes(jupyter(notebook(code(SETUP), code(LOOP))))
    assert run("check", "leak.ipynb", *ONLY, "--add-ignore").code == 0
    cells = json.loads(path.read_bytes())["cells"]
    assert "".join(cells[1]["source"]) == LOOP + "  # memlint: ignore[MEM101]"
    assert cells[1]["outputs"]


def test_errors_of_the_run_are_not_ignored(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text("import torch\nx = (\n", encoding="utf-8")
    answer = run("check", "broken.py", "--add-ignore")
    assert answer.code == 1
    said = "memlint: warning: not ignored: broken.py: 1 finding left: no comment can stand there\n"
    assert answer.err == said
    assert script.read_text(encoding="utf-8") == "import torch\nx = (\n"


def test_fixes_come_first(run: Run, leak: Path) -> None:
    answer = run("check", "train.py", "--fix", "--add-ignore")
    assert answer.code == 2
    assert "fix first" in answer.err


def test_a_bare_noqa_is_explained_once(run: Run, leak: Path) -> None:
    text = LEAK.replace("total += loss", "total += loss  # noqa")
    leak.write_text(text + "total += loss  # noqa\n", encoding="utf-8")
    said = " ".join(run("check", "train.py", *ONLY).out.split())
    assert said.count("a bare `# noqa` does not silence memlint; write `# noqa: MEM101`") == 1
    leak.write_text(LEAK.replace("total += loss", "total += loss  # noqa: E501"), encoding="utf-8")
    assert "bare" not in run("check", "train.py", *ONLY).out
