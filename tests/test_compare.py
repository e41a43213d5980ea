"""`memlint compare`: two sessions against each other, and the gate on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import LEAK, Run
from tests.test_server import session_of

Change = Callable[[dict[str, Any]], None]


def changed(folder: Path, name: str, change: Change = lambda document: None) -> str:
    """A session file with one thing changed."""
    file = session_of(folder, "train.py", LEAK, 11)
    document = json.loads(file.read_text("utf-8"))
    change(document)
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return name


def more(document: dict[str, Any]) -> None:
    """A MiB more at the peak, of the line, which has moved down by two lines."""
    arm = document["arms"][0]
    arm["peak"]["bytes"] += 1 << 20
    arm["lines"][0] |= {"bytes": 4 << 20, "line": 13}
    arm["growth"][0]["line"] = 13
    text = document["sources"]["train.py"].pop("11")
    document["sources"]["train.py"]["13"] = text


def test_the_same_session_has_nothing_to_say(run: Run, tmp_path: Path) -> None:
    old = changed(tmp_path, "old.json")
    answer = run("compare", old, old, "--fail-over", "0")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "train.py: peak 4 MiB on cpu, as before\n\nwithin the limit of 0 %\n"


def test_a_line_that_has_moved_is_the_same_line(run: Run, tmp_path: Path) -> None:
    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", more)
    answer = run("compare", old, new)
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "train.py: peak 4 MiB to 5 MiB on cpu, 1 MiB more (+25.0 %)",
        "",
        "at the peak, by line                              before         now      change",
        "  train.py:13 (was 11)  total += loss              3 MiB       4 MiB     +33.3 %",
    ]


@pytest.mark.parametrize(("limit", "code"), [("24.9%", 1), ("25", 0), ("30 %", 0)])
def test_a_limit_on_the_peak(run: Run, tmp_path: Path, limit: str, code: int) -> None:
    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", more)
    answer = run("compare", old, new, "--fail-over", limit)
    assert answer.code == code
    assert ("over the limit of 24.9 %: peak +25.0 %" in answer.out) is bool(code)
    assert run("compare", new, old, "--fail-over", limit).code == 0


def test_growth_where_there_was_none_is_over_every_limit(run: Run, tmp_path: Path) -> None:
    old = changed(tmp_path, "old.json", lambda document: document["arms"][0]["growth"].clear())
    new = changed(tmp_path, "new.json")
    answer = run("compare", old, new, "--fail-over", "90%")
    assert answer.code == 1
    assert answer.out.splitlines()[-1] == "over the limit of 90 %: growth per step at 1 line"


def test_nodes_that_pile_up_are_growth(run: Run, tmp_path: Path) -> None:
    def grows(document: dict[str, Any]) -> None:
        pile = {"file": "train.py", "line": 11, "series": "optimizer step", "nodes_per_step": 3}
        document["arms"][0]["piles"] = [pile | {"steps": 20, "of": 20}]

    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", grows)
    answer = run("compare", old, new, "--fail-over", "90%")
    assert answer.code == 1
    assert "autograd nodes that stay with every step, by train.py:11: 0 before, 3 now" in answer.out


def test_what_equal_runs_differ_in_is_no_change(run: Run, tmp_path: Path) -> None:
    def noisy(document: dict[str, Any]) -> None:
        more(document)
        again = json.loads(json.dumps(document["arms"][0])) | {"name": "again"}
        again["peak"]["bytes"] -= 2 << 20
        document["arms"].append(again)

    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", noisy)
    answer = run("compare", old, new, "--fail-over", "5%")
    assert answer.code == 0
    assert "equal runs differed by 2 MiB, so this says nothing" in answer.out


def test_other_conditions_are_named(run: Run, tmp_path: Path) -> None:
    def elsewhere(document: dict[str, Any]) -> None:
        document["arms"][0]["device"] = "cuda:0"
        document["environment"]["torch"] = "2.15.0"

    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", elsewhere)
    said = run("compare", old, new).out
    assert "not the same conditions: device: cpu before, cuda:0 now" in said
    assert "not the same conditions: torch: 2 before, 2.15.0 now" in said


def test_findings_that_come_and_go(run: Run, tmp_path: Path) -> None:
    def found(document: dict[str, Any]) -> None:
        finding = {"code": "MEM101", "name": "loss-graph-accumulation", "path": "train.py", "line": 11}
        finding |= {"column": 9, "end_line": 11, "end_column": 20}
        finding |= {"message": "m", "fingerprint": "f", "severity": "error"}
        verdict = {"status": "confirmed", "measured_bytes": 1 << 20, "bytes_per_step": 512}
        verdict |= {"share_of_peak": 0.2, "device": "cpu", "reason": "r", "arm": "original"}
        document["findings"].append(finding | {"verdict": verdict})

    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", found)
    words = "train.py:11 MEM101 loss-graph-accumulation (confirmed, 1 MiB, 512 B per step)"
    assert f"new finding: {words}" in " ".join(run("compare", old, new).out.split())
    assert f"gone: {words}" in " ".join(run("compare", new, old).out.split())
    document = json.loads(run("compare", old, new, "--output-format", "json").out)
    assert [row["code"] for row in document["findings"]["new"]] == ["MEM101"]


def test_markdown_and_json(run: Run, tmp_path: Path) -> None:
    old, new = changed(tmp_path, "old.json"), changed(tmp_path, "new.json", more)
    comment = run("compare", old, new, "--output-format", "markdown").out
    assert comment.startswith("### memlint: train.py: peak 4 MiB to 5 MiB on cpu, 1 MiB more (+25.0 %)\n")
    assert "| `train.py:13` `total += loss` | 3 MiB | 4 MiB | +33.3 % |" in comment
    to_file = ("--output-format", "json", "--output-file", "c.json")
    answer = run("compare", old, new, "--fail-over", "5%", *to_file)
    assert (answer.code, answer.out) == (1, "")
    document = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert document["peak"] == {"name": "peak", "was": "", "before": 4 << 20, "after": 5 << 20, "share": 0.25}
    assert document["over_limit"] == ["peak"]


@pytest.mark.parametrize("limit", ["x", "-1", "nan", "inf%", ""])
def test_a_limit_that_is_no_percentage(run: Run, tmp_path: Path, limit: str) -> None:
    old = changed(tmp_path, "old.json")
    answer = run("compare", old, old, f"--fail-over={limit}")
    assert answer.code == 2
    assert "not a percentage" in answer.err


def test_what_is_no_session(run: Run, tmp_path: Path, leak: Path) -> None:
    answer = run("compare", changed(tmp_path, "old.json"), str(leak))
    assert answer.code == 2
    assert "not a memlint session" in answer.err
