"""What a release relies on: one address, one version, metadata that the package index takes."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from memlint import __version__, catalogue
from memlint.addresses import DOCUMENTATION, REPOSITORY, rule_page

ROOT = Path(__file__).parent.parent
TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = TABLE["project"]
VSCODE = json.loads((ROOT / "editors/vscode/package.json").read_text("utf-8"))
RELEASING = (ROOT / "docs/releasing.md").read_text("utf-8")
NAMES = re.compile(r"https://(?:github\.com/torch-memlint|torch-memlint\.readthedocs)[\w./-]*")


def tracked(*patterns: str) -> list[Path]:
    """The files of the repository, those that are not committed yet included."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this tree is no repository")
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_metadata_names_the_addresses_of_the_code() -> None:
    urls = PROJECT["urls"]
    assert urls["Repository"] == REPOSITORY
    assert urls["Documentation"] == DOCUMENTATION
    assert all(url.startswith((REPOSITORY, DOCUMENTATION)) for url in urls.values())
    readme = TABLE["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
    assert all(entry["replacement"].startswith(rf"\1{REPOSITORY}/") for entry in readme)
    assert VSCODE["repository"]["url"] == f"{REPOSITORY}.git"
    assert VSCODE["homepage"] == DOCUMENTATION
    assert f"`{REPOSITORY}`" in RELEASING
    assert f"`{DOCUMENTATION}`" in RELEASING


def test_addresses_stand_in_one_place_of_the_code() -> None:
    name = b"torch-memlint.readthedocs"
    named = {path for path in tracked("memlint", "tools") if name in path.read_bytes()}
    assert named <= {ROOT / "memlint/addresses.py"}
    texts = [path.read_text("utf-8") for path in tracked("*.md", "*.yml", "*.yaml")]
    known = (REPOSITORY, DOCUMENTATION)
    assert [url for text in texts for url in NAMES.findall(text) if not url.startswith(known)] == []


def test_every_rule_has_its_page() -> None:
    for rule in catalogue.load():
        assert rule.url == rule_page(rule.code)
        assert (ROOT / "docs/rules" / f"{rule.code}.md").is_file()


def test_every_page_names_this_version() -> None:
    named = {
        "README.md": r"^  rev: v(.+)$",
        "docs/ci.md": r"memlint@v(\S+)$",
        "docs/editors.md": r"memlint-([\d.]+)\.vsix",
    }
    for name, pattern in named.items():
        found = re.findall(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
        assert set(found) == {__version__}, f"{name} names another version"
    pages = "\n".join(path.read_text("utf-8") for path in tracked("*.md"))
    assert set(re.findall(r"^  rev: v(.+)$", pages, re.MULTILINE)) == {__version__}
    lock = json.loads((ROOT / "editors/vscode/package-lock.json").read_text("utf-8"))
    assert VSCODE["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_the_version_is_at_least_that_of_every_rule() -> None:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in version.split(".")]

    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert max(numbers(rule.since) for rule in catalogue.load()) <= numbers(__version__)


def test_the_changelog_has_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0].startswith(f"{__version__} (")
    dated = re.compile(r"\d+\.\d+\.\d+ \((unreleased|\d{4}-\d{2}-\d{2})\)")
    assert all(map(dated.fullmatch, headings[1:]))
    assert len(set(headings)) == len(headings)


def test_the_pythons_of_the_metadata_are_those_that_are_tried() -> None:
    known = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: 3." in line]
    assert PROJECT["requires-python"] == f">={known[0]}"
    assert known == [f"3.{minor}" for minor in range(11, 11 + len(known))]
