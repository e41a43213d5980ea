"""Definitions for other people's CI, and for this project's: they follow the schemas that are published."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from memlint.addresses import REPOSITORY
from tests.test_release import PROJECT

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PAGE = (ROOT / "docs/ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RECIPES = [text for text in BLOCKS if not text.startswith("repos:")]
"""What a service runs; the hooks of pre-commit are tried in test_pre_commit."""


@cache
def schema(name: str) -> Any:
    """A schema of the package check-jsonschema, which keeps copies of what is published."""
    folder = resources.files("check_jsonschema").joinpath("builtin_schemas", "vendor")
    return jsonschema.Draft7Validator(json.loads(folder.joinpath(f"{name}.json").read_text("utf-8")))


def wrong(name: str, text: str) -> list[str]:
    """What in a definition the schema does not allow."""
    return [f"{error.json_path}: {error.message}" for error in schema(name).iter_errors(loaded(text))]


def loaded(text: str) -> Any:
    """YAML as services read it: `on` is a word there, and no truth value."""
    found = yaml.safe_load(text)
    if True in found:
        found["on"] = found.pop(True)
    return found


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_follow_the_schema(path: Path) -> None:
    assert wrong("github-workflows", path.read_text("utf-8")) == []


def test_the_sites_build_follows_the_schema() -> None:
    assert wrong("readthedocs", (ROOT / ".readthedocs.yaml").read_text("utf-8")) == []


def test_the_action_follows_the_schema() -> None:
    assert wrong("github-actions", (ROOT / "action.yml").read_text("utf-8")) == []


def test_recipes_follow_the_schemas() -> None:
    kinds = ["github-workflows" if "runs-on:" in text else "gitlab-ci" for text in RECIPES]
    assert set(kinds) == {"github-workflows", "gitlab-ci"}
    assert [error for kind, text in zip(kinds, RECIPES, strict=True) for error in wrong(kind, text)] == []


def test_the_recipe_with_the_action_gives_it_inputs_that_it_has() -> None:
    inputs = loaded((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    steps = [step for step in loaded(RECIPES[0])["jobs"]["memlint"]["steps"] if "with" in step]
    assert [step["uses"].partition("@")[0] for step in steps] == [
        REPOSITORY.removeprefix("https://github.com/")
    ]
    assert set(steps[0]["with"]) <= set(inputs)


def test_the_static_half_is_tried_on_three_systems_with_every_python() -> None:
    jobs = loaded((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]
    matrix = jobs["static"]["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: 3." in line]


def test_tests_that_a_workflow_names_exist() -> None:
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        assert all((ROOT / name).exists() for name in re.findall(r"\btests/[\w./]*\w|\.ci/[\w-]+", text))
