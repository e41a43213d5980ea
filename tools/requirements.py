"""What pyproject.toml requires, as pip reads it: at its lowest versions, what is pinned, or all of [dev]."""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def floors(project: dict[str, object]) -> list[str]:
    """Each dependency, those of [replay] too, at exactly its lowest version."""
    return [re.sub(r">=", "==", line) for line in _needed(project, "replay")]


def pinned(project: dict[str, object]) -> list[str]:
    """What development has at one version only."""
    return [line for line in _needed(project, "dev") if "==" in line.partition(";")[0]]


def development(project: dict[str, object]) -> list[str]:
    """All that development needs."""
    return _needed(project, "dev")


def _needed(project: dict[str, object], extra: str) -> list[str]:
    needs, extras = project["dependencies"], project["optional-dependencies"]
    assert isinstance(needs, list)
    assert isinstance(extras, dict)
    return [*needs, *extras[extra]]


def main() -> None:
    """Print the wanted lines, as pip reads them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=["floors", "pinned", "dev"])
    parser.add_argument("--without", action="append", default=[], metavar="NAME")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = {"floors": floors, "pinned": pinned, "dev": development}[options.which](project)
    print(*(line for line in lines if re.split(r"\W*[=<>]", line)[0] not in options.without), sep="\n")


if __name__ == "__main__":
    main()
