"""Every script under fixtures/ gets exactly the findings that its `#! CODE` marks promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlint import catalogue, engine

FIXTURES = Path(__file__).parent.parent / "fixtures"
SCRIPTS = sorted(FIXTURES.rglob("*.py"))
MARK = re.compile(r"#! ((?:MEM\d{3}(?: \w+)?(?:, )?)+)$")
ENTRY = re.compile(r"(MEM\d{3})(?: (\w+))?")


def marks(text: str) -> list[tuple[int, str, str]]:
    """Line, code and severity ("" where the mark names none) of every promised finding."""
    return [
        (number, code, severity)
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
        for code, severity in ENTRY.findall(mark[1])
    ]


@pytest.fixture(scope="module")
def checks() -> engine.Checks:
    codes = frozenset(rule.code for rule in catalogue.load())
    return engine.Checks(codes, frozenset(), "fixture.py")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_findings_are_the_marked_lines(path: Path, checks: engine.Checks) -> None:
    text = path.read_text()
    report = engine.check(text, path.name, checks)
    assert not report.failed
    promised = marks(text)
    stated = {(line, code) for line, code, severity in promised if severity}
    places = [(f.span.line, f.code, f.severity.value) for f in report.findings]
    found = [(line, code, severity if (line, code) in stated else "") for line, code, severity in places]
    assert sorted(found) == sorted(promised)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_marks_are_well_formed_and_look_alikes_keep_up(path: Path) -> None:
    text = path.read_text()
    assert text.count("#! ") == len({line for line, _, _ in marks(text)})
    assert text.count("#~ ") >= len(marks(text)) or path.parent.name == "articles"
