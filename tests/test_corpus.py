"""The labelled scripts of tests/corpus: what is to be reported, what is not, and that fixing them settles.

A finding meets a label of its own code on its own line, and so does each of its secondary places; no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.edit.apply import fix_text
from memlint.engine import check as engine
from memlint.finding import FileReport, Finding, each

CORPUS = Path(__file__).parent / "corpus"
SCRIPTS = sorted(path for kind in ("bugs", "traps") for path in (CORPUS / kind).glob("*.py"))
PROJECTS = sorted(path for path in (CORPUS / "projects").iterdir() if path.is_dir())
LABELLED = {rule.code for rule in catalogue.load() if rule.detector != catalogue.META}
WRITTEN_FOR = set("MEM101 MEM102 MEM105 MEM121 MEM201 MEM202 MEM301 MEM401 MEM901 MEM902 MEM903".split())
"""The rules whose remedies the `_good` scripts show: those of other rules may have something left to say."""

LABEL = re.compile(r"#([!=?]) ((?:MEM|MTF)\d{3})")
NAME = re.compile(r"(MEM\d{3}|MTF\d{3})_[abc]_\d{3,4}b?_\w+_(bad|good|ok)")

MISSED = {
    "MEM101_b_092_gan_image_grid_every_bad.py": (
        {(52, "MEM101")}, "the loss is an attribute of an object of unknown class that the caller passes in"),
    "MEM102_c_1097_retention_idioms_bad.py": (
        {(75, "MEM101")}, "attributes of a SimpleNamespace are not followed"),
    "MEM102_c_2014_priorities_with_graph_bad.py": (
        {(42, "MEM102")}, "each entry of a list of fixed length is replaced in turn"),
    "MEM107_c_1001_stylegan_path_length_mean_bad.py": (
        {(43, "MEM107")}, "the average is made by a helper that returns it among other values"),
    "MEM108_c_1009_pinn_lbfgs_history_and_retain_bad.py": (
        {(43, "MEM108")}, "the inputs are cast leaves made before the loop: their graph may be needed again"),
    "MEM201_a_110_acc_dict_val_losses_eval_bad.py": (
        {(16, "MEM101")}, "the loss functions are the unknown values of a dictionary from a caller"),
    "MEM201_b_084_visitor_eval_suite_bad.py": (
        {(37, "MEM102")}, "what scores is registered by a class decorator in a module-level dictionary"),
    "MEM203_c_2066_frozen_teacher_in_module_bad.py": (
        {(26, "MEM203")}, "what a forward pass runs inside of itself is no event; MEM205 speaks instead"),
    "MEM606_c_2082_gathered_outputs_of_all_ranks_bad.py": (
        {(22, "MEM606")}, "of two lists that one helper fills in the same loop, only one is reported"),
}  # fmt: skip
"""Labels that are not met, by line and code, with the reason."""

WRONG = {
    "MTF114_c_1195_mixed_precision_by_hand_bad.py": (
        {(11, "MTF114")}, "the policy that another function sets is taken for one of the whole file"),
}  # fmt: skip
"""Findings that are false alarms, by line and code, with the reason."""

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


def verdict(text: str, findings: Iterable[Finding]) -> tuple[set[tuple[int, str]], list[Finding]]:
    """The labels that no finding meets, and the findings that no label allows."""
    wanted = set(labels(text, "!"))
    elsewhere, allowed = set(labels(text, "=")), set(labels(text, "?"))
    unmet, alarms = set(wanted), []
    for finding in each(findings):
        place = (finding.span.line, finding.code)
        unmet.discard(place)
        if place in elsewhere:
            unmet = {label for label in unmet if label[1] != finding.code}
        elif place not in wanted | allowed:
            alarms.append(finding)
    return unmet, alarms


def all_fixes_together_compile_and_settle(text: str, path: Path) -> None:
    def check(text: str) -> tuple[Finding, ...]:
        return report(text, path.name).findings

    fixed = fix_text(text, path.name, check, unsafe=True)
    assert fixed.refused == ""
    compile(fixed.text, path.name, "exec", dont_inherit=True)
    assert (fixed.text != text) == bool(fixed.applied)
    again = fix_text(fixed.text, path.name, check, unsafe=True)
    assert (again.text, again.applied) == (fixed.text, ())


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_what_is_reported_is_what_the_labels_say_and_its_fixes_settle(path: Path) -> None:
    text = path.read_text("utf-8")
    checked = report(text, path.name)
    assert not checked.failed
    unmet, alarms = verdict(text, (f for f in checked.findings if f.code in LABELLED))
    wrong, _ = WRONG.get(path.name, (set(), ""))
    told = {(f.span.line, f.code): f"{f.span.line}: {f.code} {f.message}" for f in alarms}
    assert [message for place, message in told.items() if place not in wrong] == []
    assert wrong <= set(told)
    missed, _ = MISSED.get(path.name, (set(), ""))
    assert unmet == missed
    if path.stem.endswith("_bad"):
        # In the same test: what was found is still at hand.
        all_fixes_together_compile_and_settle(text, path)


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
        missed, wrong = verdict(text, checked.findings)
        unmet |= missed
        alarms += [f"{path.name}:{f.span.line}: {f.code} {f.message}" for f in wrong]
        marked |= set(labels(text, "!"))
        elsewhere = set(labels(text, "="))
        met |= {f.code for f in each(checked.findings) if (f.span.line, f.code) in elsewhere}
    assert alarms == []
    assert {label for label in unmet if label[1] not in met} == set()
    assert bool(marked) == folder.name.endswith("_bad")


def test_every_script_is_labelled_as_its_name_says() -> None:
    problems = []
    for path in SCRIPTS:
        marked = {code for _, code in labels(path.read_text("utf-8"), "!")}
        fits = bool(marked) if path.stem.endswith("_bad") else not marked & WRITTEN_FOR
        if not fits or marked - LABELLED:
            problems.append(path.name)
    assert problems == []


def test_every_name_begins_with_the_rule_that_it_is_about() -> None:
    for path in [*SCRIPTS, *PROJECTS]:
        parts = NAME.fullmatch(path.stem)
        assert parts, path.name
        assert parts[1] in LABELLED
        texts = [file.read_text("utf-8") for file in ([path] if path.is_file() else path.rglob("*.py"))]
        marked = {code for text in texts for _, code in labels(text, "!")}
        assert parts[2] != "bad" or parts[1] in marked, path.name


def test_the_known_misses_and_false_alarms_have_a_place_and_a_reason() -> None:
    by_name = {path.name: path.read_text("utf-8") for path in SCRIPTS}
    for script, (missed, reason) in MISSED.items():
        assert missed
        assert missed <= set(labels(by_name[script], "!")), script
        assert reason
    for script, (wrong, reason) in WRONG.items():
        assert wrong
        assert script in by_name
        assert reason
