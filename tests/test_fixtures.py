"""Every script under fixtures/ gets exactly the findings that its `#! CODE` marks promise."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.commands.batch import Mode, Task, process_text
from memlint.engine import check as engine
from memlint.finding import each
from memlint.source.notebook import Notebook

FIXTURES = Path(__file__).parent.parent / "fixtures"
PROJECT = FIXTURES / "project"
SCRIPTS = sorted(FIXTURES.rglob("*.py"))
NOTEBOOKS = sorted(FIXTURES.rglob("*.ipynb"))
MARK = re.compile(r"#! ((?:(?:MEM|MTF)\d{3}(?: \w+)?(?:, )?)+)$")
ENTRY = re.compile(r"((?:MEM|MTF)\d{3})(?: (\w+))?")


def marks(text: str) -> list[tuple[int, str, str]]:
    """Line, code and severity ("" where the mark names none) of every promised finding."""
    return [
        (number, code, severity)
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
        for code, severity in ENTRY.findall(mark[1])
    ]


def planted(text: str) -> str:
    """The promised codes in words, as the table of fixtures/README.md puts them."""
    counts = Counter(code for _, code, _ in marks(text))
    return ", ".join(code if n == 1 else f"{code} ×{n}" for code, n in sorted(counts.items())) or "none"


def name(path: Path) -> str:
    return path.relative_to(FIXTURES).as_posix()


@pytest.fixture(scope="module")
def checks() -> engine.Checks:
    codes = frozenset(rule.code for rule in catalogue.load())
    return engine.Checks(codes, frozenset(), "fixture.py")


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_findings_are_the_marked_lines(path: Path, checks: engine.Checks) -> None:
    text = path.read_text("utf-8")
    if PROJECT in path.parents:
        checks = replace(checks, root=str(PROJECT))
    report = engine.check(text, str(path), checks)
    assert not report.failed
    promised = marks(text)
    stated = {(line, code) for line, code, severity in promised if severity}
    places = [(f.span.line, f.code, f.severity.value) for f in each(report.findings)]
    found = [(line, code, severity if (line, code) in stated else "") for line, code, severity in places]
    assert sorted(found) == sorted(promised)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_findings_of_a_notebook_are_the_marked_lines_of_its_cells(path: Path, checks: engine.Checks) -> None:
    report = process_text(
        Notebook.decode(path.name, path.read_bytes()), Task(path.name, checks, Mode())
    ).report
    promised = [(cell, line, code) for cell, text in _cells(path) for line, code, _ in marks(text)]
    assert sorted((f.cell or 0, f.span.line, f.code) for f in each(report.findings)) == sorted(promised)


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_marks_are_well_formed_and_look_alikes_keep_up(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("#! ") == len({line for line, _, _ in marks(text)})
    assert text.count("#~ ") >= len(marks(text)) or path.parent.name == "articles"


def test_readme_lists_every_fixture_with_its_planted_problems() -> None:
    rows = re.findall(
        r"^\| (\S+\.(?:py|ipynb)) \|[^|]*\| (\w+) \| ([^|]*) \| (\d+) \|$", _readme(), re.MULTILINE
    )
    texts = {name(path): path.read_text("utf-8") for path in SCRIPTS}
    texts |= {name(path): "\n".join(text for _, text in _cells(path)) for path in NOTEBOOKS}
    assert {row[0]: row[1:] for row in rows} == {
        script: ("no" if text.startswith("# lint only:") else "yes", planted(text), str(text.count("#~ ")))
        for script, text in texts.items()
    }


def _cells(path: Path) -> list[tuple[int, str]]:
    cells = json.loads(path.read_bytes())["cells"]
    return [(n, "".join(cell["source"])) for n, cell in enumerate(cells, 1) if cell["cell_type"] == "code"]


def _readme() -> str:
    return (FIXTURES / "README.md").read_text("utf-8")
