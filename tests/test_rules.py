"""Every rule keeps what it promises: its texts, its examples, its fixes, its table of names.

The examples are those of the rule files and those of tests/rules, whose README says how they are written.
Each rule is checked alone, with its advice on; only the rules about the run itself (detector "meta") need
the others beside them.
"""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import tomli

from memlint import catalogue, packs
from memlint.catalogue import META, Rule
from memlint.edit.apply import FixResult, fix_text
from memlint.engine import check as engine
from memlint.finding import FileReport
from memlint.project import gate
from tests import examples

RULES = examples.rules()
SPEAKING = [rule for rule in RULES if rule.detector != META]
DETECT = Path(catalogue.__file__).parent / "detect"
MARK = re.compile(r"[ \t]*#! (MEM\d{3}|MTF\d{3})(?: (error|warning|advice))?$", re.MULTILINE)
SHARED_DETECTORS = {catalogue.TABLE, packs.DETECTOR}
BY_CODE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
SPEAKING_BY_CODE = pytest.mark.parametrize("rule", SPEAKING, ids=lambda rule: rule.code)

MYTHS = {
    "the loss sum leaks GPU memory": r"leak(s|ing)? (the )?(gpu|cuda|device)|(gpu|cuda)( memory)? leak",
    "del lowers the peak": r"\bdel (loss|output|model)\b.{0,40}\b(lower|save|free|reduce)",
    "in-place ReLU saves memory": r"inplace=true.{0,40}\b(saves?|reduces?)",
    "inference_mode is leaner than no_grad": r"inference_mode.{0,60}\b(less|lower|fewer)\b.{0,20}memory",
    "retaining or creating a graph leaks by itself": r"(retain_graph|create_graph)\S* (leaks|grows)",
    "only trained parameters for the optimizer": r"optimizer.{0,40}only (the )?trainable.{0,40}(save|less)",
    "missing zero_grad fills the GPU": r"(fills|exhausts) the (gpu|memory)|gradients? (grow|pile up)\b",
    "empty_cache frees memory for torch": r"empty_cache\S*.{0,30}\b(frees|saves|reduces)\b",
    "more workers are faster": r"more workers (are|is|make|mean)|workers (always )?(speed|are faster)",
    "NumPy instead of lists": r"numpy arrays? (instead of|rather than) lists?",
    "AMP halves memory": r"(amp|autocast|mixed precision|float16)\b.{0,40}\bhalves?\b.{0,20}memory",
    "clear_session stops growth": r"clear_session.{0,40}(stops|frees|releases)",
    "load_state_dict duplicates": r"load_state_dict.{0,40}(duplicates|doubles|copies)",
    "clip_grad_norm_ copies": r"clip_grad_norm_?.{0,40}(copies|copy|costs)",
    "linear_cross_entropy saves by itself": r"linear_cross_entropy.{0,40}saves",
    "a GradScaler repairs half()": r"gradscaler.{0,40}\b(fixes|repairs|solves|is the remedy)\b",
}

NODES = ["0.5 KB of host RAM per step", "no GPU tensor is kept because backward() freed them"]
SAID = {
    ("MEM101", "default"): NODES,
    ("MEM101", "unreached"): ["keeps the whole graph: every step adds all that its forward pass saved"],
    ("MEM102", "unreached"): ["keeps the whole graph: every step adds all that its forward pass saved"],
    ("MEM105", "default"): NODES,
    ("MEM105", "unreached"): ["keeps the whole graph: every step adds all that its forward pass saved"],
    ("MEM121", "default"): ["(wrong training). Memory: at most one extra set of gradients, no growth."],
    ("MEM301", "default"): [
        "NaN with Adam-type optimizers, lost updates with SGD",
        "autocast will use more memory than a half model",
    ],
    ("MEM401", "default"): ["time, not memory: each worker adds host memory"],
    ("MEM901", "default"): ["does not exist in torch (it is NVIDIA Apex's)"],
}


def unmarked(code: str) -> str:
    """The example as a user would write it."""
    return MARK.sub("", code)


def marks(code: str) -> list[tuple[int, str, str]]:
    """Line, code and severity ("" where none is named) of every mark."""
    return [
        (number, mark[1], mark[2] or "")
        for number, line in enumerate(code.split("\n"), 1)
        if (mark := MARK.search(line))
    ]


def check(rule: Rule, text: str) -> FileReport:
    """What the rule finds in a text; a crash fails the test."""
    codes = frozenset(r.code for r in RULES) if rule.detector == META else frozenset({rule.code})
    report = checked(codes, text)
    assert not report.failed, report.failed
    return report


@cache
def checked(codes: frozenset[str], text: str) -> FileReport:
    """What rules find in a text; many tests look at the same example."""
    return engine.check(text, "train.py", engine.Checks(codes, codes, "train.py"))


def fix(rule: Rule, text: str, *, unsafe: bool) -> FixResult:
    """The text after this rule's fixes."""
    return fix_text(text, "train.py", lambda changed: check(rule, changed).findings, unsafe=unsafe)


def texts(rule: Rule) -> Iterator[tuple[str, str]]:
    """Everything a rule says, each with the place where it stands."""
    yield "summary", rule.summary
    yield "explanation", rule.explanation
    yield "fix-safety", rule.fix_safety
    yield "known-limits", rule.known_limits
    for name, variant in rule.variants.items():
        yield f"{name}.message", variant.message
        yield f"{name}.why", variant.why
        yield f"{name}.help", variant.help
        if variant.claim:
            yield f"{name}.claim", variant.claim.formula
    for example in (*rule.bad, *rule.good):
        yield "example", example.title


@cache
def schema() -> jsonschema.Draft202012Validator:
    """The validator for rule files."""
    described = json.loads((catalogue.rules_directory() / catalogue.MARKER).read_text())
    jsonschema.Draft202012Validator.check_schema(described)
    return jsonschema.Draft202012Validator(described)


@BY_CODE
def test_file_follows_the_schema(rule: Rule) -> None:
    raw = rule.path.read_text()
    assert raw.startswith("#:schema ./_schema.json\n")
    assert [error.message for error in schema().iter_errors(tomli.loads(raw))] == []


def test_every_rule_has_its_detector_and_every_detector_its_rule() -> None:
    named = {rule.detector for rule in SPEAKING}
    detectors = [path for path in DETECT.rglob("*.py") if "\ndef detect(" in path.read_text()]
    written = {f"{path.parent.name}.{path.stem}" for path in detectors}
    assert named == written - (SHARED_DETECTORS - named)
    for rule in SPEAKING:
        module = rule.detector.partition(".")[2]
        assert rule.detector in SHARED_DETECTORS or module == rule.name.replace("-", "_")


def test_no_detector_has_a_blank_to_fill_in() -> None:
    assert [path.name for path in DETECT.rglob("*.py") if catalogue.BLANK in path.read_text()] == []


@BY_CODE
def test_bad_examples_are_reported_on_the_marked_lines(rule: Rule) -> None:
    for example in rule.bad:
        promised = marks(example.code)
        assert promised, example.title
        report = check(rule, unmarked(example.code))
        found = [(f.span.line, f.code, f.severity.value) for f in report.findings if f.code == rule.code]
        stated = {line for line, _, severity in promised if severity}
        found = [(line, code, kind if line in stated else "") for line, code, kind in found]
        assert found == promised, example.title


@SPEAKING_BY_CODE
def test_filled_headlines_are_short_and_stand_alone(rule: Rule) -> None:
    for example in rule.bad:
        for finding in check(rule, unmarked(example.code)).findings:
            assert len(finding.message) <= 110
            assert "``" not in finding.message
            assert all(note.text for note in finding.notes)


@SPEAKING_BY_CODE
def test_every_variant_is_shown_by_an_example(rule: Rule) -> None:
    said = [f.message for example in rule.bad for f in check(rule, unmarked(example.code)).findings]
    for name, variant in rule.variants.items():
        parts = [re.escape(text) for text, *_ in string.Formatter().parse(variant.message)]
        pattern = re.compile(".+".join(parts) + ".*", re.DOTALL)
        assert any(pattern.fullmatch(message) for message in said), f"no example of {name}"


@BY_CODE
def test_good_examples_are_left_alone(rule: Rule) -> None:
    for example in rule.good:
        found = [f for f in check(rule, example.code).findings if f.code == rule.code]
        assert [(f.span.line, f.message) for f in found] == [], example.title


@SPEAKING_BY_CODE
def test_good_examples_are_traps_that_the_gate_lets_through(rule: Rule) -> None:
    for example in rule.good:
        assert gate.passes(rule.gate, gate.vocabulary(ast.parse(example.code))), example.title


@BY_CODE
def test_fixed_is_what_the_fix_makes_and_needs_no_other(rule: Rule) -> None:
    for example in rule.bad:
        if example.fixed is None:
            assert example.fix == "safe", "an example without `fixed` says nothing about a fix"
            continue
        result = fix(rule, unmarked(example.code), unsafe=example.fix == "unsafe")
        assert (result.refused, result.text) == ("", example.fixed), example.title
        left = [f.span.line for f in check(rule, example.fixed).findings if f.code == rule.code]
        assert left == [], example.title


@SPEAKING_BY_CODE
def test_a_rule_with_a_fix_shows_one_in_its_file(rule: Rule) -> None:
    (shown,) = (r for r in catalogue.load() if r.code == rule.code)
    assert any(example.fixed for example in shown.bad) == (rule.fix != "none")


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@BY_CODE
def test_a_second_fix_changes_nothing(rule: Rule, unsafe: bool) -> None:
    for example in rule.bad:
        result = fix(rule, unmarked(example.code), unsafe=unsafe)
        assert result.refused == "", example.title
        assert fix(rule, result.text, unsafe=unsafe).text == result.text, example.title


@BY_CODE
def test_no_fix_claims_more_than_the_rule_allows(rule: Rule) -> None:
    order = ["none", "display", "unsafe", "repair", "safe"]
    for example in rule.bad:
        report = check(rule, unmarked(example.code))
        for finding in (f for f in report.findings if f.code == rule.code):
            offered = [f.applicability.value for f in (finding.fix, *finding.alternatives) if f]
            assert all(order.index(kind) <= order.index(rule.fix) for kind in offered), example.title


@BY_CODE
def test_examples_are_complete_scripts(rule: Rule) -> None:
    for example in (*(rule.bad if rule.detector != META else ()), *rule.good):
        for code in filter(None, (example.code, example.fixed)):
            compile(code, "train.py", "exec", dont_inherit=True)
        assert not MARK.search(example.fixed or "")
        assert example.title
        assert all(code == rule.code for _, code, _ in marks(example.code))


def test_every_file_of_an_example_belongs_to_a_rule_and_is_read() -> None:
    files = {path.relative_to(examples.FOLDER).as_posix() for path in examples.FOLDER.rglob("*.py")}
    shown = {(e.code, e.fixed) for rule in catalogue.load() for e in (*rule.bad, *rule.good)}
    folders = [e for rule in RULES for e in (*rule.bad, *rule.good) if (e.code, e.fixed) not in shown]
    assert len(files) == len(folders) + sum(example.fixed is not None for example in folders)


@SPEAKING_BY_CODE
def test_traps_outnumber_findings_and_titles_are_distinct(rule: Rule) -> None:
    titles = [example.title for example in (*rule.bad, *rule.good)]
    assert len(rule.good) > len(rule.bad)
    assert len(set(titles)) == len(titles)


@BY_CODE
def test_headlines_are_in_house_style(rule: Rule) -> None:
    for variant in rule.variants.values():
        assert not variant.message[0].isupper()
        assert not variant.message.endswith((".", "!"))
        assert variant.help
    assert rule.fix == "none" or rule.fix_safety
    assert rule.explanation
    assert rule.known_limits or rule.detector == META
    assert max(map(len, rule.explanation.split("\n"))) <= 110


@BY_CODE
def test_no_text_repeats_a_myth(rule: Rule) -> None:
    for place, text in texts(rule):
        flat = " ".join(text.split())
        for myth, pattern in MYTHS.items():
            assert not re.search(pattern, flat, re.IGNORECASE), f"{place} repeats that {myth}"


@pytest.mark.parametrize(
    ("myth", "sentence"),
    [
        ("the loss sum leaks GPU memory", "adding the loss leaks GPU memory"),
        ("inference_mode is leaner than no_grad", "inference_mode uses less memory"),
        ("empty_cache frees memory for torch", "torch.cuda.empty_cache() frees the GPU"),
        ("AMP halves memory", "AMP halves the memory"),
        ("more workers are faster", "more workers are faster"),
        ("a GradScaler repairs half()", "A GradScaler fixes model.half()"),
    ],
)
def test_the_myth_patterns_know_a_myth(myth: str, sentence: str) -> None:
    assert re.search(MYTHS[myth], sentence, re.IGNORECASE)


@pytest.mark.parametrize(("code", "variant"), SAID, ids=lambda part: part)
def test_the_honest_words_are_said(code: str, variant: str) -> None:
    spoken = catalogue.find(code)[0].variants[variant]
    for words in SAID[code, variant]:
        assert words in f"{spoken.message}\n{spoken.why}\n{spoken.help}"


def test_warnings_about_kept_nodes_never_speak_of_a_leak() -> None:
    for code in ("MEM101", "MEM102", "MEM105"):
        spoken = catalogue.find(code)[0].variants["default"]
        assert "leak" not in spoken.message + spoken.why + spoken.help


@BY_CODE
def test_references_are_public_addresses(rule: Rule) -> None:
    assert all(re.fullmatch(r"https://[\w.-]+\.(?:org|com)/\S*", address) for address in rule.references)
