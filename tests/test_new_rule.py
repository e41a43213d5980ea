"""`memlint new-rule`: its files fail the checks until they are filled in, and pass them then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.__main__ import main
from memlint.catalogue import BLANK

ROOT = Path(catalogue.__file__).parent.parent
EXAMPLE = """\
import torch

net = torch.nn.Linear(4, 4).cuda()
net(torch.ones(1, 4).cuda()).sum().backward()
torch.cuda.ipc_collect(){mark}
"""
FUNCTION = EXAMPLE.replace(
    "torch.cuda.ipc_collect()", "def ipc_collect(): return 0\n\n\nprint(ipc_collect())"
)
METHOD = EXAMPLE.replace(
    "torch.cuda.ipc_collect()", "class Box: ipc_collect = print\n\n\nBox().ipc_collect()"
)
VARIABLE = EXAMPLE.replace("torch.cuda.ipc_collect()", "ipc_collect = 0")
TABLE = ("torch.cuda.ipc_collect", "reference", "nothing")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the rule tests need, in which rules may be written."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("memlint", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "rules").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in ("test_rules", "examples", "conftest", "command", "notebooks"):
        shutil.copy(ROOT / f"tests/{name}.py", folder / "tests")
    return folder


def python(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)


def checks(checkout: Path, code: str) -> subprocess.CompletedProcess[str]:
    """The rule tests, as far as they concern one rule or the detectors."""
    words = f"{code} or detector"
    return python(checkout, *"-m pytest -q -p no:cacheprovider tests/test_rules.py -k".split(), words)


def values(code: str, variable: str) -> list[str]:
    """What is filled into a rule file, in the order of its blanks."""
    mark = f"  #! {code} warning"
    return [
        *("memory shared with other processes is collected by hand", "warning", "likely", "0.2.0", "torch"),
        *("none", f"`{{{variable}}}` waits for the device", "the collection costs time", "drop the call"),
        *("ipc_collect", "https://docs.pytorch.org/docs/stable/cuda.html"),
        *("Collecting costs time and gives no memory back.", "There is no fix.", "Calls by getattr."),
        *("TIME", "no bytes, some microseconds per call"),
        *(TABLE if variable == "api" else ()),
        *("flat script", EXAMPLE.format(mark=mark)),
        *("called twice", EXAMPLE.format(mark=mark) * 2),
        *("in a branch", EXAMPLE.replace("torch.cuda.ipc", "if net:\n    torch.cuda.ipc").format(mark=mark)),
        *("a function of that name", FUNCTION.format(mark="")),
        *("a method of that name", METHOD.format(mark="")),
        *("a variable of that name", VARIABLE.format(mark="")),
    ]


def filled(text: str, wanted: list[str]) -> str:
    """A text with its blanks filled in: each reaches to the end of its string or line."""
    first, *blanks = text.split(BLANK)
    assert len(blanks) == len(wanted)
    ends = [min(blank.find(end) for end in '"\n' if end in blank) for blank in blanks]
    parts = zip(wanted, blanks, ends, strict=True)
    return first + "".join(value.rstrip() + blank[end:] for value, blank, end in parts)


@pytest.mark.parametrize(("kind", "code"), [("detector", "MEM198"), ("match", "MEM199")])
def test_fresh_files_fail_the_checks_and_filled_ones_pass(checkout: Path, kind: str, code: str) -> None:
    name = f"collected-by-{kind}"
    answer = python(checkout, "-m", "memlint", "new-rule", code, name, f"--{kind}")
    assert (answer.returncode, answer.stderr) == (0, "")
    rule = checkout / "rules" / f"{code}-{name}.toml"
    detector = checkout / "memlint" / "detect" / "retention" / f"{name.replace('-', '_')}.py"
    assert detector.exists() == (kind == "detector")
    fresh = checks(checkout, code)
    assert fresh.returncode != 0
    assert f"{rule.name} has blanks to fill in: summary, severity, certainty" in fresh.stdout
    assert "good[2]" in fresh.stdout
    variable = "api" if kind == "match" else "call"
    rule.write_text(filled(rule.read_text("utf-8"), values(code, variable)), "utf-8")
    look_alike = checkout / "tests" / "rules" / code / "good_look_alike.py"
    other = FUNCTION.replace("def ipc", "async def ipc").format(mark="")
    look_alike.write_text(filled(look_alike.read_text("utf-8"), ["a coroutine", other]), "utf-8")
    if kind == "detector":
        half = checks(checkout, code)
        assert "test_no_detector_has_a_blank_to_fill_in" in half.stdout
        assert detector.name in half.stdout
        code_filled = detector.read_text("utf-8").replace("FILL IN: qualified names such as ", "")
        code_filled = code_filled.replace("torch.cuda.empty_cache", "torch.cuda.ipc_collect")
        detector.write_text(code_filled.replace("FILL IN: w", "W"), "utf-8")
    done = checks(checkout, code)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["MEM101", "a-new-name", "--match"], "MEM101-loss-graph-accumulation.toml exists already"),
        (["MEM199", "loss-graph-accumulation", "--match"], "exists already"),
        (["MEM999", "api-table", "--detector"], "api_table.py exists already"),
        (["MEM099", "a-new-name", "--detector"], "no family of rules has `MEM099`"),
        (["MEM1", "a-new-name", "--match"], "`MEM1` is not a rule code (write it like MEM129 or MTF115)"),
        (["MEM199", "A_Name", "--match"], "`A_Name` is not a rule name"),
        (["MEM199", "a-new-name"], "one of the arguments --detector --match is required"),
    ],
)
def test_nothing_is_overwritten_and_one_line_says_why(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in catalogue.rules_directory().glob("*.toml")}
    assert main(["new-rule", *arguments]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert words in answer.err
    assert {path: path.read_bytes() for path in catalogue.rules_directory().glob("*.toml")} == before


def test_an_installed_memlint_makes_no_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = tmp_path / "memlint" / "rules"
    inside.mkdir(parents=True)
    inside.with_name("__init__.py").touch()
    monkeypatch.setattr(catalogue, "rules_directory", lambda: inside)
    assert main(["new-rule", "MEM199", "a-new-name", "--match"]) == 2
    assert capsys.readouterr().err == (
        "memlint: error: new-rule works in a source checkout of memlint only (clone it, pip install -e .)\n"
    )
    assert list(inside.iterdir()) == []
