"""Selectors and version requirements: which rules a word on the command line means."""

from __future__ import annotations

import pytest

from memlint import catalogue
from memlint.errors import CatalogueError, UsageError

CODES = [rule.code for rule in catalogue.load()]


def codes(*select: str, ignore: tuple[str, ...] = (), extend: tuple[str, ...] = ()) -> list[str]:
    return [rule.code for rule in catalogue.select(select, ignore, extend)]


@pytest.mark.parametrize("selector", ["MEM101", "mem101", " MEM101 ", "loss-graph-accumulation"])
def test_a_rule_by_code_or_name(selector: str) -> None:
    assert [rule.code for rule in catalogue.find(selector)] == ["MEM101"]


def test_many_rules_by_prefix_or_all() -> None:
    assert [rule.code for rule in catalogue.find("MEM10")] == [c for c in CODES if c.startswith("MEM10")]
    assert [rule.code for rule in catalogue.find("all")] == CODES
    assert codes() == codes("ALL") == CODES


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("MEMM101", "did you mean MEM101?"),
        ("los-graph-accumulation", "did you mean loss-graph-accumulation?"),
        ("AL", "did you mean ALL?"),
        ("zzzzzzz", "`memlint rule --all` lists them"),
        ("", "`memlint rule --all` lists them"),
        ("EM101", "did you mean MEM101?"),
        ("MEM1O1", "did you mean MEM101?"),
        ("MEM999", "`memlint rule --all` lists them"),
        ("loss-graph", "did you mean loss-graph-accumulation?"),
    ],
)
def test_an_unknown_selector_says_what_is_near(selector: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        catalogue.find(selector)
    assert caught.value.hint == hint


def test_the_longer_selector_wins_and_ignore_among_equals() -> None:
    assert codes("MEM1", ignore=("MEM101",)) == [c for c in CODES if c.startswith("MEM1") and c != "MEM101"]
    assert codes("MEM101", ignore=("MEM1",)) == ["MEM101"]
    assert codes("MEM101", ignore=("MEM101",)) == []
    assert codes("MEM101", ignore=("loss-graph-accumulation",)) == []
    assert codes("loss-graph-accumulation", ignore=("MEM101",)) == ["MEM101"]
    assert codes("ALL", ignore=("ALL",)) == []
    assert codes("MEM101", extend=("MEM201",)) == ["MEM101", "MEM201"]
    assert codes("MEM101", extend=("MEM2",), ignore=("MEM201",)) == [
        c for c in CODES if c == "MEM101" or (c.startswith("MEM2") and c != "MEM201")
    ]


@pytest.mark.parametrize(
    ("version", "requirement", "fits"),
    [
        ((2, 1), "", True),
        ((2, 1), ">=2.0", True),
        ((1, 13), ">=2.0", False),
        ((2,), ">=2.0", True),
        ((2, 0, 1), ">2.0", True),
        ((2, 3), ">=1.10, <2.4", True),
        ((2, 4), ">=1.10,<2.4", False),
        ((2, 10), "<=2.9", False),
        ((2, 0), "==2", True),
    ],
)
def test_version_requirements(version: tuple[int, ...], requirement: str, fits: bool) -> None:
    assert catalogue.version_fits(version, requirement) is fits


def test_a_malformed_requirement_is_said() -> None:
    with pytest.raises(CatalogueError, match=r"`2\.0` is not a version requirement"):
        catalogue.version_fits((2,), "2.0")
    for rule in catalogue.load():
        catalogue.version_fits((2,), rule.requires_torch)


def test_letters_for_digits_are_understood() -> None:
    with pytest.raises(UsageError, match="did you mean MEM101"):
        catalogue.find("MEM1O1")


def test_the_names_of_the_files_say_what_the_rules_are_called() -> None:
    assert [(t.code, t.name) for t in catalogue.titles()] == [(r.code, r.name) for r in catalogue.load()]
