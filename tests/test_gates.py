"""The gates leave work out, never a finding."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.fuzz import mutations
from memlint.catalogue import META, Rule
from memlint.engine import check as engine
from memlint.finding import FileReport
from tests import examples
from tests.shapes import in_two_files
from tests.test_rules import unmarked

SPEAKING = [rule for rule in examples.rules() if rule.detector != META]
CODES = frozenset(rule.code for rule in SPEAKING)
SCRIPTS = mutations.scripts(4000)
IN_TWO = ((rule.code, (in_two_files(unmarked(e.code)) for e in rule.bad)) for rule in SPEAKING)
PAIRS = {code: files for code, made in IN_TWO if (files := next(filter(None, made), None))}
"""An example of each rule with its functions and classes in a module that the rest imports."""

_due = engine._due


def checked(text: str) -> FileReport:
    """What all rules find in a text."""
    return engine.check(text, "train.py", engine.Checks(CODES, CODES, "train.py"))


def spared(rules: Sequence[Rule], script: engine.Script) -> list[Rule]:
    """The rules that the gates leave out."""
    due = {rule.code for rule in _due(rules, script)}
    return [rule for rule in rules if rule.code not in due]


@pytest.mark.parametrize("rule", SPEAKING, ids=lambda rule: rule.code)
def test_rules_find_the_same_when_no_gate_spares_them(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    text = unmarked(rule.bad[0].code)
    gated = checked(text)
    monkeypatch.setattr(engine, "_due", lambda rules, _: list(rules))
    asked = checked(text)
    assert not asked.failed
    assert asked.findings == gated.findings


@pytest.mark.parametrize("seed", range(40))
def test_rules_that_a_gate_leaves_out_find_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked all the same about scripts of the corpus and examples, as they are and changed at random."""
    pick = random.Random(seed)
    one, other = (pick.choice(SCRIPTS).read_text(encoding="utf-8") for _ in range(2))
    monkeypatch.setattr(engine, "_due", spared)
    for text in (one, mutations.mutated(one, pick, other, 3)):
        report = checked(text)
        assert not report.failed
        assert report.findings == (), text


@pytest.mark.parametrize("code", PAIRS)
def test_rules_that_a_gate_leaves_out_find_nothing_in_what_a_file_imports(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_due", spared)
    for name, text in PAIRS[code].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, text in PAIRS[code].items():
        checks = engine.Checks(CODES, CODES, name, root=str(tmp_path))
        report = engine.check(text, str(tmp_path / name), checks)
        assert not report.failed
        assert report.findings == (), text


def test_a_gate_that_leaves_out_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = unmarked(next(rule for rule in SPEAKING if rule.code == "MEM101").bad[0].code)

    def narrow(rules: Sequence[Rule], script: engine.Script) -> list[Rule]:
        gates = [replace(r, gate=(frozenset({"while"}),)) if r.code == "MEM101" else r for r in rules]
        return spared(gates, script)

    monkeypatch.setattr(engine, "_due", spared)
    assert checked(text).findings == ()
    monkeypatch.setattr(engine, "_due", narrow)
    assert {f.code for f in checked(text).findings} == {"MEM101"}
