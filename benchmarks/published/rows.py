"""What was published, read from runs.toml, and what the simulation says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli

SCRIPTS = Path(__file__).with_name("scripts")
RUNS = Path(__file__).with_name("runs.toml")


@dataclass(frozen=True, slots=True)
class Source:
    """Where figures were read: its title, address, and for a repository the path and commit."""

    title: str
    url: str
    path: str = ""
    commit: str = ""
    configuration: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """What a source says of one run, sizes in bytes, 0 where it says nothing.

    `allocated` and `reserved` are peaks of torch's allocator, `used` what the driver called in use, the CUDA
    context included. `unit` is what the figures are rounded to. `fits` is whether the run went through.
    """

    allocated: int = 0
    reserved: int = 0
    used: int = 0
    unit: int = 1
    fits: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """One published run: our script for it, with which packages, on which card.

    `context` is what the source itself measured beside torch's allocator, in bytes (0: the card's usual one).
    `settings` are variables of the environment. With several `ranks`, each on its GPU, figures are those of
    one. `note` explains a difference or names what the source leaves open.
    """

    name: str
    source: str
    title: str
    script: str
    arguments: str
    packages: str
    card: str
    published: Published
    context: int = 0
    ranks: int = 1
    settings: dict[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Peaks of the simulated allocator in bytes, whether the run fits the card, with which torch.

    `context` is what the card's processes hold beside the allocator; `where` is where memory ran out.
    """

    allocated: int
    reserved: int
    fits: bool
    context: int
    torch: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """Everything in runs.toml: sources by key, packages of environments by key, the runs in their order."""

    sources: dict[str, Source]
    environments: dict[str, tuple[str, ...]]
    runs: tuple[Run, ...]


def load(path: Path = RUNS) -> Book:
    """Read the runs.

    Raises:
        ValueError: a run names a source, script or environment that is not there, or two have one name.
    """
    data = tomli.loads(path.read_text(encoding="utf-8"))
    sources = {key: Source(**fields) for key, fields in data["sources"].items()}
    environments = {key: tuple(fields["packages"]) for key, fields in data["environments"].items()}
    runs = tuple(_run(fields) for fields in data["run"])
    for run in runs:
        missing = run.source not in sources or run.packages not in environments
        if missing or not (SCRIPTS / run.script).is_file():
            raise ValueError(f"{run.name}: its source, packages or script are not there")
    if len({run.name for run in runs}) < len(runs):
        raise ValueError("two runs have the same name")
    return Book(sources, environments, runs)


def _run(fields: dict[str, Any]) -> Run:
    published = Published(**fields.pop("published"))
    return Run(**fields, published=published)


def off(predicted: int, real: int) -> float:
    """By how much a prediction is off, as a share of what is real."""
    return predicted / real - 1
