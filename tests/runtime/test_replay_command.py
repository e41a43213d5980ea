"""`memlint replay` and `memlint report` as commands: exit codes, streams, files."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from memlint.__main__ import main
from memlint.runtime.parent.plan import Now
from tests.runtime.support import memlint, needs_torch, script

LEAK = """
import sys, torch, torch.nn as nn, torch.nn.functional as F
def main(steps):
    net = nn.Linear(64, 10)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    total = 0
    for _ in range(steps):
        loss = F.cross_entropy(net(torch.randn(32, 64)), torch.randint(0, 10, (32,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss
    print("mean", total / steps)
    torch.save(net.state_dict(), "model.pt")
if __name__ == "__main__":
    main(int(sys.argv[1]))
"""


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_leak_is_confirmed_saved_and_shown_again(tmp_path: Path) -> None:
    script(tmp_path, LEAK)
    options = ("--select", "MEM101", "-o", "s.json", "--html", "s.html", "--steps", "14")
    made = memlint(tmp_path, "replay", *options, "train.py", "12")
    assert made.returncode == 1, made.stderr
    assert "confirmed" in made.stdout
    assert "MEM101 train.py:11" in made.stdout
    assert not (tmp_path / "model.pt").exists()
    session = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert session["arguments"] == ["12"]
    assert [f["verdict"]["status"] for f in session["findings"]] == ["confirmed"]
    assert (tmp_path / "s.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    hidden = tmp_path / "hidden"
    script(hidden, "raise ImportError('no torch here')\n", "torch.py")
    variables = {"PYTHONPATH": f"{hidden}{os.pathsep}{Path(__file__).parents[2]}", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "memlint", "report", "s.json"]
    again = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert (again.returncode, again.stdout) == (0, made.stdout)
    bare = memlint(tmp_path, "report", "--no-source", "--output-format", "json", "s.json")
    assert json.loads(bare.stdout)["sources"] == {}
    assert "total += loss" not in bare.stdout


def told(text: str) -> str:
    """A report without what differs between machines: numbers, units, white space, the device line."""
    kept = "\n".join(line for line in text.splitlines() if " steps on " not in line)
    return " ".join(re.sub(r"\d[\d,.]*( [KMG]i)?", "#", kept).split())


@needs_torch
@pytest.mark.usefixtures("forked")
def test_the_documentation_shows_what_replaying_the_example_says() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "replay.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- replay -->\n```text\n")[2].partition("```\n")[0]
    assert "confirmed" in shown
    made = memlint(root, "replay", "--isolated", "examples/replay.py")
    assert made.returncode == 1, made.stderr
    assert told(made.stdout).startswith(told(shown))
    lines = re.findall(r"examples/replay.py:\d+", shown)
    assert lines == re.findall(r"examples/replay.py:\d+", made.stdout)[: len(lines)]


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_failing_script_keeps_its_traceback_and_exits_with_3(tmp_path: Path) -> None:
    script(tmp_path, "import torch\nprint('to stdout')\nraise ValueError('mine')\n")
    made = memlint(tmp_path, "replay", "--output-format", "json", "train.py")
    assert made.returncode == 3
    assert made.stderr.startswith("Traceback (most recent call last):\n")
    assert "ValueError: mine\n" in made.stderr
    (only,) = json.loads(made.stdout)["arms"]
    assert only["failure"]["line"] == 3


@needs_torch
@pytest.mark.usefixtures("forked")
def test_what_a_script_said_before_it_gave_up_is_shown(tmp_path: Path) -> None:
    script(tmp_path, "import sys\nprint('no data in ./data')\nsys.exit(4)\n")
    made = memlint(tmp_path, "replay", "train.py")
    said = "no data in ./data\nmemlint: the script failed: SystemExit at train.py:3\n"
    assert (made.returncode, made.stderr) == (3, said)
    script(tmp_path, "input('go on? ')\n")
    asked = memlint(tmp_path, "replay", "train.py")
    assert asked.returncode == 3
    assert asked.stderr.endswith("EOFError at train.py:1 (a replay gives it no standard input)\n")


@needs_torch
@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("command", ["replay", "fit"])
def test_what_a_script_said_commands_no_runner(tmp_path: Path, command: str) -> None:
    script(tmp_path, "import sys\nsys.exit('::add-mask::a')\n")
    made = memlint(tmp_path, command, "train.py", GITHUB_ACTIONS="true")
    first, said, last, *_ = made.stderr.splitlines()
    assert first.startswith("::stop-commands::")
    assert said == "::add-mask::a"
    assert last == f"::{first.rpartition('::')[2]}::"


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_script_that_runs_out_of_memory_exits_with_1(tmp_path: Path) -> None:
    script(tmp_path, "import torch\ntorch.empty(1 << 50)\n")
    made = memlint(tmp_path, "replay", "--no-fix", "train.py")
    assert made.returncode == 1, made.stderr
    assert "does not fit" in made.stdout


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_clean_script_exits_with_0(tmp_path: Path) -> None:
    script(tmp_path, LEAK.replace("total += loss", "total += loss.item()"))
    made = memlint(tmp_path, "replay", "--select", "MEM101", "--steps", "5", "-o", "s.json", "train.py", "5")
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    assert len(json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["arms"]) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("replay", "missing.py"), "missing.py: no such script"),
        (("replay", "-m", "missing.module"), "missing.module: no such module"),
        (("replay", "a.ipynb"), "a.ipynb: only scripts can be replayed, not notebooks (convert it"),
        (("replay", "."), ".: it is a folder"),
        (
            ("replay", "-o", "no/session.json", "x.py"),
            "no/session.json: cannot be written: there is no folder",
        ),
        (("replay", "--html", ".", "x.py"), ".: cannot be written: it is a folder"),
        (("replay", "--steps", "0", "x.py"), "--steps"),
        (("replay", "--timeout", "nan", "x.py"), "--timeout"),
        (("replay", "--memory-limit", "-1", "x.py"), "--memory-limit: must be a number of GiB above 0"),
        (("replay", "--device-memory", "2", "x.py"), "--device-memory describes a simulated GPU (add"),
        (("replay", "--select", "MEM999X", "x.py"), "MEM999X"),
        (("report", "missing.json"), "missing.json"),
        (("report", __file__), "not a memlint session"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "x.py").write_text("", encoding="utf-8")
    (tmp_path / "a.ipynb").write_text("{}", encoding="utf-8")
    made = memlint(tmp_path, *arguments)
    assert made.returncode == 2
    assert made.stdout == ""
    assert made.stderr.startswith("memlint: error: ")
    assert said in made.stderr
    assert made.stderr.count("\n") == 1


@pytest.mark.parametrize("found", [None, ModuleSpec("torch", None)], ids=["nothing", "a folder"])
def test_without_torch_one_line_says_which_python_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: Any
) -> None:
    path = script(tmp_path, "import torch\n")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found)
    monkeypatch.setattr(sys, "executable", "/opt/my tools/bin/python")
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err == (
        "memlint: error: running a script needs torch, but '/opt/my tools/bin/python', which runs memlint, "
        "has none (`'/opt/my tools/bin/python' -m pip install torch`, or install memlint where torch is)\n"
    )


def test_the_parent_never_imports_torch(tmp_path: Path) -> None:
    code = "import sys, memlint.commands.replay, memlint.commands.report; sys.exit('torch' in sys.modules)"
    root = str(Path(__file__).parents[2])
    assert (
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": root}).returncode == 0
    )


def test_progress_is_one_line_that_is_written_over() -> None:
    from memlint.commands.running.progress import Progress

    out = io.StringIO()
    progress = Progress(out, is_terminal=True)
    for steps in (1, 1, 2):
        progress(Now(1, 1, "the script as it is", steps, None))
    progress.announce("7 runs, about 40 s more")
    progress(Now(3, 7, "MEM101 at " + "x" * 200, 12, 31.0))
    progress.clear()
    alone, again, plan, long, end = re.split(r"\r\x1b\[2K", out.getvalue())[1:]
    assert (alone, again) == ("the script as it is: step 1", "the script as it is: step 2")
    assert plan == "memlint: 7 runs, about 40 s more\n"
    assert long.startswith("run 3 of 7: MEM101 at xxx")
    assert long.endswith("...: step 12, about 30 s left")
    assert len(long) < 80
    assert end == ""


def test_a_stream_that_is_no_terminal_is_told_the_plan_only() -> None:
    from memlint.commands.running.progress import Progress

    out = io.StringIO()
    progress = Progress(out, is_terminal=False)
    progress(Now(1, 1, "the script as it is", 1, None))
    progress.announce("7 runs")
    progress.clear()
    assert out.getvalue() == "memlint: 7 runs\n"


@needs_torch
@pytest.mark.usefixtures("forked")
def test_a_device_that_is_not_there_is_named_in_one_line(tmp_path: Path) -> None:
    script(tmp_path, LEAK)
    made = memlint(tmp_path, "replay", "--device", "cuda", "train.py", "3", CUDA_VISIBLE_DEVICES="")
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("memlint: error: --device cuda: torch ")
    assert made.stderr.count("\n") == 1
    assert "--device simulate to predict, or --device cpu" in made.stderr


@needs_torch
@pytest.mark.usefixtures("forked")
def test_an_option_of_memlint_behind_the_script_is_not_lost_in_silence(tmp_path: Path) -> None:
    parses = "import argparse\nparser = argparse.ArgumentParser()\nparser.parse_args()\n"
    script(tmp_path, parses)
    made = memlint(tmp_path, "replay", "--device", "cpu", "train.py", "--html", "a page.html")
    assert (made.returncode, made.stdout) == (2, "")
    right = "memlint replay --device cpu --html 'a page.html' train.py"
    said = "--html behind train.py goes to the script, whose argparse does not know that"
    assert made.stderr == f"memlint: error: {said} ({right})\n"
    script(tmp_path, "print('no parser here')\n")
    ran = memlint(tmp_path, "replay", "-q", "train.py", "--steps", "9")
    assert ran.returncode == 0
    assert ran.stderr == (
        "memlint: warning: --steps behind train.py goes to the script, which does not read it "
        "(meant for memlint: memlint replay -q --steps 9 train.py)\n"
    )
