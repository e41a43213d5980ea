"""The GitHub action: its steps are run here as a workflow would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import ENVIRONMENT, LEAK

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses", "")): step for step in ACTION["runs"]["steps"]}
GIVEN = {
    "steps.python.outputs.python-path": sys.executable,
    "steps.install.outputs.python": sys.executable,
    "github.token": "secret",
    "github.event.pull_request.number": "7",
}
"""What earlier steps and the event give, where a test gives nothing else."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the steps are written for bash")


def step(name: str, folder: Path, **inputs: str) -> tuple[int, str]:
    """Exit code and output of one step, its inputs filled in as the runner does."""
    environment = {**ENVIRONMENT, "RUNNER_TEMP": str(folder / "temp"), "GITHUB_REPOSITORY": "team/project"}
    environment["PATH"] = os.pathsep.join([str(folder / "programs"), environment["PATH"]])
    for file in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY"):
        environment[file] = str(folder / file)
    given = {**GIVEN, **inputs}
    defaults = {name: value.get("default", "") for name, value in ACTION["inputs"].items()}
    for variable, value in STEPS[name]["env"].items():
        expression = value.removeprefix("${{ ").removesuffix(" }}")
        kind, _, key = expression.partition(".")
        environment[variable] = {**defaults, **inputs}[key] if kind == "inputs" else given[expression]
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def job(tmp_path: Path) -> Path:
    (tmp_path / "temp").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    return tmp_path


def test_findings_become_annotations_a_report_and_a_summary(job: Path) -> None:
    (job / "src" / "train.py").write_text(LEAK, encoding="utf-8")
    code, said = step("Check", job, paths="src", args="--select MEM101")
    assert code == 0
    assert said.startswith("::warning title=memlint (MEM101),file=src/train.py,line=11,")
    assert (job / "memlint.sarif").is_file()
    assert "| warning | `src/train.py:11` |" in (job / "GITHUB_STEP_SUMMARY").read_text("utf-8")
    assert (job / "GITHUB_OUTPUT").read_text("utf-8") == "exit-code=1\n"
    assert step("Result", job, **{"steps.check.outputs.exit-code": "1"})[0] == 1


def test_modules_of_the_repository_are_not_executed(job: Path) -> None:
    for name in ("fnmatch", "tomli", "libcst", "venv", "pip"):
        (job / f"{name}.py").write_text("open('executed', 'w')\n", encoding="utf-8")
    (job / "src" / "train.py").write_text(LEAK, encoding="utf-8")
    assert step("Check", job, paths="src", args="--select MEM101")[0] == 0
    assert not (job / "executed").exists()
    said = STEPS["Install memlint"]["run"]
    assert said.count(" -m ") == said.count(" -I -m ")


@pytest.mark.parametrize(("args", "code"), [("", "0"), ("--no-such-option", "2")])
def test_the_exit_code_is_that_of_memlint(job: Path, args: str, code: str) -> None:
    assert step("Check", job, paths="src", args=args)[0] == 0
    assert (job / "GITHUB_OUTPUT").read_text("utf-8") == f"exit-code={code}\n"
    assert step("Result", job, **{"steps.check.outputs.exit-code": code})[0] == int(code)


def test_every_input_and_output_is_used_and_explained() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    for name, entry in ACTION["inputs"].items():
        assert entry["description"]
        assert f"inputs.{name}" in text
    assert set(ACTION["outputs"]) == {"sarif-file", "exit-code"}
    for entry in STEPS.values():
        if "run" in entry:
            assert "${{" not in entry["run"], "an input in a script is code of whoever wrote it"
            assert subprocess.run(["bash", "-n", "-c", entry["run"]]).returncode == 0


GH = """\
#!/usr/bin/env bash
# The comments of a pull request, in a file of ids; every other call is written down.
case "$*" in
  *--jq*) cat comments ;;
  *) echo "$*" >> calls ;;
esac
"""


@pytest.mark.parametrize(
    ("comments", "code", "wanted"),
    [
        ("", "1", "--method POST repos/team/project/issues/7/comments"),
        ("", "0", ""),
        ("11\n12\n", "1", "--method PATCH repos/team/project/issues/comments/12"),
        ("12\n", "0", "--method PATCH repos/team/project/issues/comments/12"),
    ],
    ids=["the first findings", "nothing to say", "findings again", "all findings are gone"],
)
def test_a_pull_request_has_one_comment(job: Path, comments: str, code: str, wanted: str) -> None:
    (job / "programs").mkdir()
    (job / "programs" / "gh").write_text(GH, encoding="utf-8")
    (job / "programs" / "gh").chmod(0o755)
    (job / "comments").write_text(comments, encoding="utf-8")
    done, said = step("Comment on the pull request", job, **{"steps.check.outputs.exit-code": code})
    assert done == 0, said
    calls = (job / "calls").read_text("utf-8").splitlines() if (job / "calls").exists() else []
    body = f"-F body=@{job / 'temp' / 'memlint.md'}"
    assert calls == ([f"api --silent {wanted} {body}"] if wanted else [])


def test_the_jobs_own_python_stays_as_it_was() -> None:
    assert STEPS["Find a Python"]["with"]["update-environment"] is False
    assert not any("GITHUB_ENV" in entry.get("run", "") for entry in STEPS.values())
    assert all(entry["shell"] == "bash" for entry in STEPS.values() if "run" in entry)
