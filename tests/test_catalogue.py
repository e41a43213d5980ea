"""Selectors and version requirements: which rules a word on the command line means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli

import memlint.examples
from memlint import catalogue
from memlint.errors import CatalogueError, UsageError
from memlint.examples import Example

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


def examples(table: dict[str, Any], fix: str = "safe", framework: str = "torch") -> list[Example]:
    return list(memlint.examples.read(table, {"fix": fix, "frameworks": [framework]}))


def test_an_example_with_a_fix_is_a_diff() -> None:
    code = "total = 0\n-total += loss  #! MEM101 warning\n+total += loss.detach()\nprint(total)  #! MEM101\n"
    head = "import torch\n\ntotal = 0\n"
    before = f"{head}total += loss  #! MEM101 warning\nprint(total)  #! MEM101\n"
    after = f"{head}total += loss.detach()\nprint(total)\n"
    assert examples({"a sum": code}) == [Example(before, "a sum", after, "safe")]
    assert examples({"a sum": code}, "unsafe") == [Example(before, "a sum", after, "unsafe")]
    assert examples({"a sum": {"fix": "unsafe", "code": code}}) == [Example(before, "a sum", after, "unsafe")]
    assert examples({"none": "print(-1)\n"}) == [Example("import torch\n\nprint(-1)\n", "none")]


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("x = F.relu(torch.ones(3))\n", "import torch\nimport torch.nn.functional as F"),
        ("class A(Dataset): n = 1\nDataLoader(A())\n", "from torch.utils.data import DataLoader, Dataset"),
        ("loss.backward()\n", "import torch"),
        ("self.nn.F.run(x.torch)\n", "import torch"),
    ],
)
def test_well_known_names_are_imported_where_nothing_is(code: str, imports: str) -> None:
    assert examples({"": code}) == [Example(f"{imports}\n\n{code}")]
    assert examples({"": f"import os\n{code}"}) == [Example(f"import os\n{code}")]


def test_examples_of_tensorflow_import_tensorflow() -> None:
    (example,) = examples({"": "model.fit(x)\n"}, framework="tensorflow")
    assert example.code == "import tensorflow as tf\n\nmodel.fit(x)\n"


def test_the_form_with_lists_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match=r"below \[bad\] and \[good\]"):
        memlint.examples.read([{"title": "x", "code": "y"}], {"fix": "none", "frameworks": ["torch"]})  # type: ignore[arg-type]


def test_no_rule_file_says_anything_below_its_examples() -> None:
    for rule in catalogue.load():
        text = rule.path.read_text(encoding="utf-8")
        whole = tomli.loads(text)
        assert whole.pop("bad", None) or rule.detector == catalogue.META, rule.code
        whole.pop("good", None)
        assert tomli.loads(catalogue.without_examples(text)) == whole, rule.code


def test_examples_that_cannot_be_read_are_the_error_of_their_file(tmp_path: Path) -> None:
    rule = next(iter(catalogue.find("MEM101")))
    path = tmp_path / rule.path.name
    text = rule.path.read_text(encoding="utf-8")
    path.write_text(catalogue.without_examples(text) + '[bad]\n"a list" = ["x = 1"]\n', encoding="utf-8")
    with pytest.raises(CatalogueError, match=rf"{path.name}: "):
        len(catalogue._read(path).bad)
