"""README and the pages for users: outputs are what is printed, options exist, figures are as committed."""

from __future__ import annotations

import argparse
import csv
import importlib
import re
from html import unescape
from pathlib import Path

import pytest
import tomli
import yaml

from benchmarks.ecosystem.review import extent, from_json, judgements, rendered, table
from memlint import catalogue
from memlint.__main__ import main
from memlint.addresses import REPOSITORY
from memlint.commands import COMMANDS
from memlint.config import KEYS, checked
from memlint.engine.suppress import collect
from tools import pictures

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
PAGES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("tutorials/*.md")))
    if path.name not in ("contributing.md", "releasing.md", "architecture.md", "rule-packs.md")
)
"""README and the pages of the site that are for users, but for those with tests of their own."""
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)
OF_OTHERS = {"--batch-size", "--length", "--card-file", "--epochs", "--seed"}


def block(language: str, start: str) -> str:
    """The one code block of that language with these words."""
    (found,) = [text for kind, text in BLOCKS if kind == language and start in text]
    return found


def options() -> dict[str, set[str]]:
    """The options of every command."""
    found = {}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"memlint.commands.{command.replace('-', '_')}").add_arguments(parser)
        found[command] = {option for action in parser._actions for option in action.option_strings}
    return found


@pytest.mark.parametrize(
    ("mark", "arguments", "end"),
    [
        ("finding", ["examples/train.py", "--select", "MEM101", "-q"], "\n"),
        ("notebook", ["fixtures/notebooks", "--output-format", "concise"], ""),
    ],
)
def test_outputs_are_what_is_printed(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    mark: str,
    arguments: list[str],
    end: str,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NO_COLOR", "1")
    shown = PAGES.partition(f"<!-- {mark} -->\n```text\n")[2].partition("```\n")[0]
    assert main(["check", *arguments, "--isolated"]) == 1
    assert capsys.readouterr().out == shown + end


def test_commands_take_the_options_they_are_shown_with() -> None:
    known = options()
    lines = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    shown = re.findall(r"`(memlint [^`]*)`", PAGES) + lines
    for line in shown:
        for command, rest in re.findall(r"memlint (\w[\w-]*)([^&|#]*)", line):
            if command in known:
                assert set(re.findall(r"(?<= )--[\w-]+", rest)) - OF_OTHERS <= known[command], line
    named = set(re.findall(r"`(--[a-z-]+)", PAGES))
    assert named - OF_OTHERS <= set().union(*known.values())


def test_the_settings_are_all_of_them_and_valid() -> None:
    shown = tomli.loads(block("toml", "[tool.memlint]\nselect"))["tool"]["memlint"]
    assert sorted(shown) == sorted(KEYS)
    checked("README", shown, ROOT)


def test_the_suppressions_are_understood() -> None:
    comments = collect(block("python", "file-ignore"), None, catalogue.load())
    assert [comment.problem for comment in comments] == ["", "", "", ""]


def test_the_hooks_exist() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    wanted = {hook["id"]: hook for hook in yaml.safe_load(hooks)}
    (local,) = yaml.safe_load(block("yaml", "repo: local\n"))["repos"]
    assert [hook["id"] for hook in local["hooks"]] == list(wanted)
    for hook in local["hooks"]:
        theirs = {key: value for key, value in wanted[hook["id"]].items() if key != "description"}
        assert hook == {**theirs, "language": "system"}
    for text in (text for kind, text in BLOCKS if kind == "yaml" and "rev: v" in text):
        (tagged,) = yaml.safe_load(text)["repos"]
        assert [hook["id"] for hook in tagged["hooks"]] == list(wanted)
        assert tagged["repo"] == REPOSITORY


def test_every_page_has_its_place_in_the_navigation() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert pages == set(re.findall(r"([\w/.-]+\.md)$", site, re.MULTILINE))


def test_the_new_rule_that_is_shown_can_be_begun() -> None:
    (code,) = set(re.findall(r"(?:new-rule|-k) (M\w+)", README))
    assert code not in {rule.code for rule in catalogue.load()}


def test_the_figures_of_published_packages_are_the_committed_ones() -> None:
    counts = from_json((ROOT / "benchmarks/data/ecosystem.json").read_text(encoding="utf-8"))
    reviewed = judgements((ROOT / "benchmarks/data/ecosystem-review.tsv").read_text(encoding="utf-8"))
    rows = table(counts, reviewed)
    text = " ".join(README.split())
    files = sum(count.files for count in counts.values())
    assert f"in {len(counts)} published packages" in text
    assert f"({files} files that a check of their folders looks at)" in text
    for severity in ("error", "warning"):
        chosen = [row for row in rows if row.severity == severity]
        assert f"{sum(row.found for row in chosen)} {severity}s" in text
        assert f"{sum(row.right for row in chosen)} of the {severity}s" in text
    page = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    assert f"{extent(counts)}\n\n{rendered(rows)}" in page


def test_the_figures_of_first_readings_are_those_of_their_file() -> None:
    text = (ROOT / "benchmarks/data/ecosystem-first-readings.tsv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t"))
    verdicts = ("right", "useless", "wrong")
    columns = [f"{level}_{verdict}" for level in ("error", "warning") for verdict in verdicts]
    page = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    assert f"{len(rows)} packages, in the order" in page
    for batch in dict.fromkeys(row["batch"] for row in rows):
        chosen = [row for row in rows if row["batch"] == batch]
        sums = [str(sum(int(row[column]) for row in chosen)) for column in columns]
        assert f"| {batch} | {len(chosen)} | {' | '.join(sums)} |" in page


def test_the_pictures_show_what_is_printed_today() -> None:
    command = f"memlint check {pictures.SCRIPT}"
    finding = pictures.terminal(command, pictures.printed(pictures.CHECK), "finding")
    shown = (ROOT / "docs" / "pictures" / "finding.svg").read_text(encoding="utf-8")
    assert texts(finding) == texts(shown), "run python -m tools.pictures --finding"


def test_the_figures_beside_the_pictures_are_those_in_them() -> None:
    shown = texts((ROOT / "docs" / "pictures" / "verdict.svg").read_text(encoding="utf-8"))
    (measured,) = re.findall(r"the fix lowers the peak from ([\d.]+ [KMG]iB) to ([\d.]+ [KMG]iB)", shown)
    for page in (README, (DOCS / "index.md").read_text(encoding="utf-8")):
        told = re.findall(r"peak\s+falls\s+from\s+([\d.]+ [KMG]iB)\s+to\s+([\d.]+ [KMG]iB)", page)
        assert told == [measured]
        assert f"the fix lowers the peak from {measured[0]} to {measured[1]}" in page


def texts(picture: str) -> str:
    """What a reader sees of a terminal in SVG."""
    lines = re.findall(r"<text[^>]*>(.*?)</text>", picture, re.DOTALL)
    return unescape(" ".join(lines)).replace("\xa0", " ")
