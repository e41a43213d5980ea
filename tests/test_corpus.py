"""The labelled scripts of tests/corpus: what is to be reported, what is not, and that fixing them settles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.edit.apply import fix_text
from memlint.engine import check as engine
from memlint.finding import FileReport, Finding

CORPUS = Path(__file__).parent / "corpus"
SCRIPTS = sorted(path for kind in ("bugs", "traps") for path in (CORPUS / kind).glob("*.py"))
PROJECTS = sorted(path for path in (CORPUS / "projects").iterdir() if path.is_dir())
LABELLED = {rule.code for rule in catalogue.load() if rule.detector != catalogue.META}
WRITTEN_FOR = set("MEM101 MEM102 MEM105 MEM121 MEM201 MEM202 MEM301 MEM401 MEM901 MEM902 MEM903".split())
"""The rules whose remedies the `_good` scripts show: those of other rules may have something left to say."""

ACCUMULATION = {"MEM101", "MEM102", "MEM105", "MEM127"}
LABEL = re.compile(r"#([!=?]) ((?:MEM|MTF)\d{3})")
NEAR = 2
LONG_STATEMENT = 8

MISSED = {
    "a_110_acc_dict_val_losses_eval_bad.py": (
        {(16, "MEM101")}, "the loss functions are the unknown values of a dictionary from a caller"),
    "b_084_visitor_eval_suite_bad.py": (
        {(37, "MEM102")}, "what scores is registered by a class decorator in a module-level dictionary"),
    "b_092_gan_image_grid_every_bad.py": (
        {(52, "MEM101")}, "the loss is an attribute of an object of unknown class that the caller passes in"),
    "c_1001_stylegan_path_length_mean_bad.py": (
        {(43, "MEM107")}, "the average is made by a helper that returns it among other values"),
    "c_1009_pinn_lbfgs_history_and_retain_bad.py": (
        {(43, "MEM108")}, "the inputs are cast leaves made before the loop: their graph may be needed again"),
    "c_2014_priorities_with_graph_bad.py": (
        {(42, "MEM102")}, "each entry of a list of fixed length is replaced in turn"),
    "c_2066_frozen_teacher_in_module_bad.py": (
        {(26, "MEM203")}, "what a forward pass runs inside of itself is no event; MEM205 speaks instead"),
}  # fmt: skip
"""Labels that are not met, by line and code, with the reason."""

Labels = list[tuple[int, str]]


def name(path: Path) -> str:
    return path.name


def labels(text: str, mark: str) -> Labels:
    """Line and code of every label of one kind."""
    lines = enumerate(text.splitlines(), 1)
    return [(number, code) for number, line in lines for kind, code in LABEL.findall(line) if kind == mark]


@cache
def report(text: str, path: str) -> FileReport:
    codes = frozenset(rule.code for rule in catalogue.load())
    return engine.check(text, path, engine.Checks(codes, frozenset(), path))


def family(code: str) -> str:
    return "accumulation" if code in ACCUMULATION else code


def statement_starts(text: str) -> dict[int, int]:
    """For each line of a simple statement, the line on which it begins."""
    statements = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt))
    simple = [node for node in statements if not hasattr(node, "body")]
    return {
        line: node.lineno
        for node in simple
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


class Judge:
    """Which labels of a script the findings meet; a label is used up by the finding that meets it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = statement_starts(text)

    def fits(self, label: tuple[int, str], finding: Finding) -> bool:
        line, code = label
        first, end = finding.span.line, min(finding.span.end_line, finding.span.line + LONG_STATEMENT)
        start = self.starts.get(line)
        near = first - NEAR <= line <= end + NEAR or (start is not None and start == self.starts.get(first))
        return near and family(code) == family(finding.code)

    def verdict(self, findings: Iterable[Finding]) -> tuple[set[tuple[int, str]], list[Finding]]:
        """The labels that no finding meets, and the findings that no label allows."""
        wanted, unmet = labels(self.text, "!"), set(labels(self.text, "!"))
        elsewhere, allowed = labels(self.text, "="), labels(self.text, "?")
        alarms = []
        for finding in findings:
            # A label not yet met comes first, so that two neighbouring labels need two findings.
            nearest = sorted(
                (label for label in wanted if self.fits(label, finding)),
                key=lambda label: (label not in unmet, abs(label[0] - finding.span.line)),
            )
            if nearest:
                unmet.discard(nearest[0])
            elif any(self.fits(label, finding) for label in elsewhere):
                unmet = {label for label in unmet if family(label[1]) != family(finding.code)}
            elif not any(self.fits(label, finding) for label in allowed):
                alarms.append(finding)
        return unmet, alarms


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_what_is_reported_is_what_the_labels_say(path: Path) -> None:
    text = path.read_text("utf-8")
    checked = report(text, path.name)
    assert not checked.failed
    unmet, alarms = Judge(text).verdict(f for f in checked.findings if f.code in LABELLED)
    assert [f"{f.span.line}: {f.code} {f.message}" for f in alarms] == []
    missed, _ = MISSED.get(path.name, (set(), ""))
    assert unmet == missed


@pytest.mark.parametrize("folder", PROJECTS, ids=name)
def test_what_is_reported_in_a_project_is_what_its_labels_say(folder: Path) -> None:
    codes = frozenset(rule.code for rule in catalogue.load())
    unmet, met, alarms, marked = set(), set(), [], set()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        checked = engine.check(
            text, str(path), engine.Checks(codes, frozenset(), path.name, root=str(folder))
        )
        assert not checked.failed
        judge = Judge(text)
        missed, wrong = judge.verdict(checked.findings)
        unmet |= missed
        alarms += [f"{path.name}:{f.span.line}: {f.code} {f.message}" for f in wrong]
        marked |= set(labels(text, "!"))
        elsewhere = labels(text, "=")
        met |= {f.code for f in checked.findings if any(judge.fits(label, f) for label in elsewhere)}
    assert alarms == []
    assert {label for label in unmet if label[1] not in met} == set()
    assert bool(marked) == folder.name.endswith("_bad")


@pytest.mark.parametrize("path", [p for p in SCRIPTS if p.stem.endswith("_bad")], ids=name)
def test_all_fixes_together_compile_and_settle(path: Path) -> None:
    def check(text: str) -> tuple[Finding, ...]:
        return report(text, path.name).findings

    text = path.read_text("utf-8")
    fixed = fix_text(text, path.name, check, unsafe=True)
    assert fixed.refused == ""
    compile(fixed.text, path.name, "exec", dont_inherit=True)
    assert (fixed.text != text) == bool(fixed.applied)
    again = fix_text(fixed.text, path.name, check, unsafe=True)
    assert (again.text, again.applied) == (fixed.text, ())


def test_every_script_is_labelled_as_its_name_says() -> None:
    problems = []
    for path in SCRIPTS:
        marked = {code for _, code in labels(path.read_text("utf-8"), "!")}
        fits = bool(marked) if path.stem.endswith("_bad") else not marked & WRITTEN_FOR
        if not fits or marked - LABELLED:
            problems.append(path.name)
    assert problems == []


def test_the_known_misses_are_labels_of_the_corpus_with_a_reason() -> None:
    by_name = {path.name: path for path in SCRIPTS}
    for script, (missed, reason) in MISSED.items():
        assert missed
        assert missed <= set(labels(by_name[script].read_text("utf-8"), "!")), script
        assert reason
