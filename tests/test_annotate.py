"""`memlint annotate`: bytes in the margin, and what is said when the source has changed since."""

from __future__ import annotations

from pathlib import Path

from tests.command import FIXED, LEAK, Run
from tests.test_server import session_of


def test_every_line_stands_behind_its_bytes(run: Run, tmp_path: Path, leak: Path) -> None:
    session_of(tmp_path, "train.py", LEAK, 11)
    answer = run("annotate", "session.json")
    assert (answer.code, answer.err) == (0, "")
    head, columns, *lines = answer.out.splitlines()
    assert head == "train.py: peak 4 MiB on cpu, measured today"
    assert columns == "    at peak   per step"
    assert lines[10] == "      3 MiB      512 B    11     total += loss"
    assert [line[29:] for line in lines] == LEAK.splitlines()
    assert all(not line[:22].strip() for number, line in enumerate(lines, 1) if number != 11)


def test_a_changed_line_is_named(run: Run, tmp_path: Path, leak: Path) -> None:
    session_of(tmp_path, "train.py", LEAK, 11)
    leak.write_text(FIXED, encoding="utf-8")
    last = run("annotate", "session.json", "train.py").out.splitlines()[-1]
    assert last == "line 11 has changed since the replay: the bytes are those of what was there"


def test_a_page_holds_the_same_and_runs_nothing(run: Run, tmp_path: Path, leak: Path) -> None:
    text = LEAK + "# <script>alert(1)</script>\n"
    leak.write_text(text, encoding="utf-8")
    session_of(tmp_path, "train.py", text, 11)
    answer = run("annotate", "session.json", "--html", "page.html")
    assert (answer.code, answer.out) == (0, "")
    page = tmp_path.joinpath("page.html").read_text("utf-8")
    assert "3 MiB</em>" in page
    assert "<script" not in page
    assert "default-src 'none'" in page


def test_what_a_session_does_not_know(run: Run, tmp_path: Path, leak: Path) -> None:
    session_of(tmp_path, "train.py", LEAK, 11)
    (tmp_path / "other.py").write_text("", encoding="utf-8")
    answer = run("annotate", "session.json", "other.py")
    assert answer.code == 2
    assert "has measured nothing in other.py (files that it knows: train.py)" in answer.err
    assert run("annotate", "session.json", "none.py").code == 2
    assert run("annotate", "train.py").code == 2
