"""The gates leave work out, never a finding."""

from __future__ import annotations

import pytest

from memlint.catalogue import META, Rule
from memlint.engine import check as engine
from memlint.finding import FileReport
from tests import examples
from tests.test_rules import unmarked

SPEAKING = [rule for rule in examples.rules() if rule.detector != META]
CODES = frozenset(rule.code for rule in SPEAKING)


def checked(text: str) -> FileReport:
    """What all rules find in a text."""
    return engine.check(text, "train.py", engine.Checks(CODES, CODES, "train.py"))


@pytest.mark.parametrize("rule", SPEAKING, ids=lambda rule: rule.code)
def test_rules_find_the_same_when_no_gate_spares_them(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    text = unmarked(rule.bad[0].code)
    gated = checked(text)
    monkeypatch.setattr(engine, "_due", lambda rules, _: list(rules))
    asked = checked(text)
    assert not asked.failed
    assert asked.findings == gated.findings
