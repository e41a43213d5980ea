"""Every output format over hand-built findings; the golden files are what a user would read."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memlint.report
from memlint.config import FORMATS
from memlint.edit.apply import unified_diff
from memlint.finding import Applicability, Claim, Edit, FileReport, Finding, Fix, Note, Severity, Span
from memlint.report import minidiff, patch
from memlint.report.formats import renderer
from memlint.report.frame import Frame, split
from memlint.report.layout import width_of
from memlint.report.summary import RenderOptions, summarise

Golden = Callable[[str, str], None]
SCHEMA = json.loads(Path(memlint.report.__file__).with_name("schema.json").read_text(encoding="utf-8"))
ANSI = re.compile(r"\x1b\[[0-9;]*m")

TRAIN = """\
import torch
from torch import nn


def train(model, loader, optimizer, criterion):
    model.train()
    total = 0
    for x, y in loader:

        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss
    return total / len(loader)


def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total / len(loader)
"""


def at(line: int, column: int, end_column: int, end_line: int | None = None) -> Span:
    return Span(line, column, end_line or line, end_column)


def change(*edits: Edit, title: str = "do it", caution: str = "", kind: str = "safe") -> Fix:
    return Fix(Applicability(kind), title, edits, caution)


def finding(span: Span, *notes: Note, path: str = "train.py", **fields: object) -> Finding:
    defaults: dict[str, object] = {
        "code": "MEM101",
        "name": "loss-graph-accumulation",
        "severity": Severity.WARNING,
        "message": "`total` keeps the graph",
        "fingerprint": "f00",
        "url": "https://torch-memlint.readthedocs.io/en/stable/rules/MEM101/",
    }
    return Finding(path=path, span=span, notes=notes, **{**defaults, **fields})  # type: ignore[arg-type]


def train_report() -> FileReport:
    accumulation = finding(
        at(13, 9, 22),
        Note("label", "the graph of this step hangs on `loss`", at(10, 9, 13)),
        Note("label", "stored beyond the step here", at(13, 9, 22)),
        Note("label", "and lives until here", at(14, 12, 17)),
        Note(
            "why",
            "keeps about 40 × 0.5 KB of host RAM per step (autograd nodes); no GPU tensor is kept because "
            "`backward()` freed them",
            at(13, 9, 22),
        ),
        Note("help", "add `loss.detach()`: the same float32 sum, and nothing waits for the GPU"),
        message="`total` keeps the autograd nodes of every step alive",
        fix=change(Edit(at(13, 18, 22), "loss.detach()"), title="detach `loss` before it is added"),
        alternatives=(
            change(
                Edit(at(13, 18, 22), "loss.item()"),
                title="add `loss.item()`",
                caution="the sum is then taken in float64 and each call waits for the GPU",
                kind="unsafe",
            ),
        ),
        claim=Claim("GROWTH-HOST", "N × 535 B per step"),
    )
    evaluation = finding(
        at(19, 5, 47, end_line=20),
        Note("why", "the forward keeps its activations, and nothing will ever use them", at(20, 18, 26)),
        Note("help", "run the loop under `torch.no_grad()`"),
        code="MEM201",
        name="eval-without-no-grad",
        severity=Severity.ERROR,
        message="`evaluate` builds a graph for every batch",
        url="https://torch-memlint.readthedocs.io/en/stable/rules/MEM201/",
        fix=change(
            Edit(
                at(19, 1, 47, end_line=20),
                "    with torch.no_grad():\n        for x, y in loader:\n"
                "            total += criterion(model(x), y).item()",
            ),
            title="wrap the loop in `torch.no_grad()`",
            caution="a forward hook that calls backward() inside the loop would fail",
            kind="unsafe",
        ),
    )
    return FileReport("train.py", (evaluation, accumulation), text=TRAIN)


def run() -> list[FileReport]:
    skipped = [FileReport(f"util{n}.py", skipped="no torch or tensorflow") for n in range(3)]
    return [*skipped, FileReport("clean.py", text="import torch\n"), train_report()]


def rendered(reports: Sequence[FileReport], name: str = "text", **options: object) -> str:
    out = io.StringIO()
    renderer(name)(reports, summarise(reports), out, RenderOptions(**options))  # type: ignore[arg-type]
    return out.getvalue()


def one(text: str | None, *findings: Finding, **options: object) -> str:
    return rendered([FileReport("train.py", findings, text=text)], quiet=True, **options)


# --- text


def test_text_of_a_whole_run(golden: Golden) -> None:
    golden("reports/run.txt", rendered(run()))


def many(count: int, code: str = "MEM101", *, error: Sequence[int] = ()) -> list[FileReport]:
    """A file with one finding of a rule on each of its lines, those of `error` errors."""
    severity = {n: Severity.ERROR if n in error else Severity.WARNING for n in range(1, count + 1)}
    found = [finding(at(n, 1, 3), code=code, severity=how, fingerprint=str(n)) for n, how in severity.items()]
    return [FileReport("train.py", tuple(found), text="x\n" * count)]


def test_of_many_findings_of_a_rule_the_first_are_shown_and_the_others_counted() -> None:
    text = rendered(many(40))
    assert text.count("warning[MEM101]") == 3
    assert "\nand 37 more of MEM101 in 1 file: --full lists them\n" in text
    assert "40 findings (40 warnings) in 1 file" in text
    assert rendered(many(40), full=True).count("warning[MEM101]") == 40
    assert rendered(many(5)).count("warning[MEM101]") == 5
    for name in ("concise", "json", "sarif", "github", "gitlab", "junit"):
        assert rendered(many(40), name) == rendered(many(40), name, full=True)
        assert rendered(many(40), name).count("`total` keeps the graph") >= 40


def test_errors_come_before_other_findings_of_a_rule_and_none_is_without_its_place() -> None:
    text = rendered(many(9, error=(2, 4, 5, 8, 9)))
    assert [line.partition(":1: ")[0] for line in text.splitlines() if "error[" in line] == [
        "train.py:2", "train.py:4", "train.py:5"
    ]  # fmt: skip
    assert "and 6 more of MEM101 in 1 file: --full lists them\n  train.py:8, 9\n" in text


def test_of_many_secondary_places_the_first_are_told_and_the_others_counted() -> None:
    others = tuple(finding(at(n, 1, 3), message="gone", fingerprint=str(n)) for n in range(2, 40))
    reports = [FileReport("train.py", (finding(at(1, 1, 3), secondary=others),), text="x\n" * 40)]
    assert rendered(reports).count("= also: train.py:") == 3
    assert "= also: 35 more places: --full lists them\n" in rendered(reports)
    assert rendered(reports, full=True).count("= also: train.py:") == 38


def test_secondary_places_are_told_below_the_finding() -> None:
    kept = finding(at(13, 9, 22), code="MEM102", path="other.py", message="`kept` holds it", fingerprint="f2")
    reports = [FileReport("train.py", (finding(at(10, 9, 13), secondary=(kept,)),), text=TRAIN)]
    assert "= also: other.py:13:9: MEM102 `kept` holds it\n" in rendered(reports)
    assert rendered(reports, "concise").count("\n") == 1
    (told,) = json.loads(rendered(reports, "json"))["findings"]
    assert told["secondary"] == [
        {
            "code": "MEM102", "label": "`kept` holds it", "path": "other.py", "cell": None,
            "line": 13, "column": 9, "end_line": 13, "end_column": 22, "fingerprint": "f2",
        }
    ]  # fmt: skip
    jsonschema.validate(json.loads(rendered(reports, "json")), SCHEMA)
    (result,) = json.loads(rendered(reports, "sarif"))["runs"][0]["results"]
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "MEM102: `kept` holds it"
    assert related["physicalLocation"]["artifactLocation"]["uri"].endswith("other.py")


def test_colour_changes_nothing_but_colour() -> None:
    plain, colored = rendered(run()), rendered(run(), color=True)
    assert ANSI.sub("", colored) == plain
    assert "\x1b[1;31merror[MEM201]\x1b[0m" in colored
    assert "\x1b[1;33m^^^^^^^^^^^^^\x1b[0m" in colored
    assert "\x1b[32m+         total += loss.detach()\x1b[0m" in colored
    assert "\x1b[31m-         total += loss\x1b[0m" in colored


def test_without_colour_the_terminal_library_is_not_imported() -> None:
    code = (
        "import io, sys\n"
        "from memlint.finding import *\n"
        "from memlint.config import FORMATS\n"
        "from memlint.report.formats import renderer\n"
        "from memlint.report.summary import RenderOptions, summarise\n"
        "one = Finding('MEM101', 'n', Severity.ERROR, 'm', 'p', Span(1, 1, 1, 2), 'f')\n"
        "reports = [FileReport('p', (one,), text='x = 1')]\n"
        "for name in FORMATS:\n"
        "    renderer(name)(reports, summarise(reports), io.StringIO(), RenderOptions(color=COLOR))\n"
        "print('rich' in sys.modules)\n"
    )
    for color in ("False", "True"):
        command = [sys.executable, "-c", code.replace("COLOR", color)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=Path(memlint.__file__).parents[1]
        )
        assert done.stdout.strip() == color


SHAPES = {
    "tabs": ("if x:\n\ttotal\t+= loss\n", at(2, 2, 15), [Note("label", "here", at(2, 11, 15))]),
    "wide characters": (
        "名前 = '损失'; total += loss  # é\n",
        at(1, 12, 25),
        [Note("label", "幅", at(1, 6, 10))],
    ),
    "CRLF": ("a = 1\r\ntotal += loss\r\nb = 2\r\n", at(2, 1, 14), []),
    "no final line end": ("a = 1\ntotal += loss", at(2, 10, 14), []),
    "empty last line": ("total += loss\n", at(2, 1, 1), []),
    "empty file": ("", at(1, 1, 1), []),
    "no text": (None, at(1, 1, 2), []),
    "place outside of the text": ("a = 1\n", at(40, 1, 2), []),
    "statement over several lines": (
        "a = 1\nloader = DataLoader(\n    data,\n    batch_size=32,\n    num_workers=0,\n)\n\nb = 2\n",
        at(2, 10, 2, end_line=6),
        [Note("label", "read by the training process itself", at(5, 5, 18))],
    ),
    "block over many lines": ("for x in y:\n" + "    f(x)\n" * 9 + "\ng()\n", at(1, 1, 1, end_line=11), []),
    "three labels on one line": (
        "total = total + loss * n\n",
        at(1, 1, 25),
        [
            Note("label", "grows", at(1, 1, 25)),
            Note("label", "the graph", at(1, 17, 21)),
            Note("label", "the sum so far", at(1, 9, 14)),
        ],
    ),
    "mark without a label beside one with": (
        "total = loss\n",
        at(1, 1, 6),
        [Note("label", "has a graph", at(1, 9, 13))],
    ),
    "label far away": (
        "".join(f"line{n} = {n}\n" for n in range(1, 121)),
        at(110, 1, 8),
        [Note("label", "far above", at(3, 1, 6)), Note("label", "next but one", at(5, 1, 6))],
    ),
    "label that needs several lines": (
        "value = function(of, something, quite, long, that, leaves, little, room)\n",
        at(1, 60, 73),
        [
            Note(
                "label",
                "the reason takes more words than fit beside the mark, so it starts below",
                at(1, 60, 73),
            )
        ],
    ),
    "long line": (
        "x = [" + ", ".join(map(str, range(60))) + ", loss, " + ", ".join(map(str, range(60))) + "]\n",
        at(1, 236, 240),
        [Note("label", "kept", at(1, 236, 240)), Note("label", "far left", at(1, 1, 2))],
    ),
    "mark longer than the window": ("x = '" + "long " * 60 + "'\n", at(1, 5, 307), []),
    "blank context": ("a = 1\n\n\ntotal += loss\n\n\nb = 1\n", at(4, 1, 14), []),
    "why without a place, note": (
        "a = 1\n",
        at(1, 1, 2),
        [Note("why", "a reason"), Note("note", "an aside"), Note("help", "a remedy")],
    ),
    "terminal codes and reading direction": ("x = '\x1b[31m\u202e'  # \x0c\n", at(1, 5, 13), []),
}


def test_text_of_odd_shapes(golden: Golden) -> None:
    parts = [
        f"--- {title}\n{one(text, finding(span, *notes, url='', message='message'))}"
        for title, (text, span, notes) in SHAPES.items()
    ]
    golden("reports/shapes.txt", "".join(parts))


FIXES = {
    "safe": change(Edit(at(13, 18, 22), "loss.detach()")),
    "repair": change(Edit(at(13, 18, 22), "loss.detach()"), kind="repair"),
    "unsafe": change(Edit(at(13, 18, 22), "loss.item()"), caution="adds in float64", kind="unsafe"),
    "unsafe without caution": change(Edit(at(13, 18, 22), "loss.item()"), kind="unsafe"),
    "display": change(Edit(at(13, 18, 22), "..."), kind="display"),
    "display without edits": change(kind="display", caution="needs a decision about the batch size"),
    "insertion": change(Edit(at(8, 1, 1), "    count = 0\n")),
    "removal": change(Edit(at(6, 1, 1, end_line=7), "")),
    "insertion after the last line": change(Edit(at(22, 1, 1), "print(1)\n")),
    "import and use, far apart": change(
        Edit(at(2, 1, 1), "import os\n"), Edit(at(21, 12, 17), "os.sum(total)")
    ),
    "two edits on one line": change(Edit(at(13, 9, 14), "sum_"), Edit(at(13, 18, 22), "loss.detach()")),
    "many lines": change(Edit(at(5, 1, 1, end_line=15), "".join(f"new{n}\n" for n in range(9)))),
}


def test_text_of_fixes(golden: Golden) -> None:
    parts = [
        f"--- {title}\n{one(TRAIN, finding(at(13, 9, 22), url='', message='message', fix=fix))}"
        for title, fix in FIXES.items()
    ]
    golden("reports/fixes.txt", "".join(parts))


def test_alternatives_are_one_line_each() -> None:
    others = (change(title="safe way"), change(title="other way", kind="unsafe"))
    text = one(TRAIN, finding(at(13, 9, 22), fix=FIXES["safe"], alternatives=others))
    assert "   = or: safe way\n   = or: other way (unsafe)\n   = docs:" in text


@given(
    st.text("ab \t\r\n\f\v\x85\u2028損\u0301\u202e\x1b", max_size=60),
    st.lists(st.integers(1, 9), min_size=8, max_size=8),
    st.integers(20, 60),
)
def test_any_text_and_place_can_be_drawn(text: str, numbers: list[int], width: int) -> None:
    places = sorted(zip(numbers[::2], numbers[1::2], strict=True))
    spans = [Span(*first, *last) for first, last in pairwise(places)]
    notes = [Note("label", "損 because `of a b`", span) for span in spans[1:]]
    shown = one(text, finding(spans[0], *notes), width=width, code_width=width)
    for line in shown.split("\n")[1:]:
        assert not set(line) & set("\t\r\f\v\x85\u2028\u202e\x1b")
        if re.match(r" *\d+ \| ", line):
            assert width_of(line) <= width


def test_only_the_diff_of_a_fix_that_fits_is_complete() -> None:
    everything = change(Edit(at(1, 1, 1, end_line=22), "".join(f"n{n}\n" for n in range(40))))
    text = one(TRAIN, finding(at(13, 9, 22), fix=everything))
    shown = [line for line in text.splitlines() if re.match(r" *\d+ [-+]", line)]
    rest = len(minidiff.rows(split(TRAIN), everything.edits)) - len(shown)
    assert len(shown) == minidiff.MOST_LINES - 1
    assert f"... {rest} more lines\n" in text


def test_prose_keeps_to_the_width() -> None:
    for width in (60, 80, 100):
        lines = rendered(run(), width=width).splitlines()
        prose = [line for line in lines if re.match(r" +(= |[a-zA-Z])", line)]
        assert len(prose) > 5
        assert max(map(width_of, prose)) <= width


def test_findings_come_in_the_order_of_the_files_and_lines() -> None:
    reports = [
        FileReport("b.py", (finding(at(1, 1, 2), path="b.py"),)),
        FileReport("a.py", (finding(at(9, 1, 2), path="a.py"), finding(at(1, 5, 6), path="a.py"))),
    ]
    lines = rendered(reports, "concise").splitlines()
    assert [line.split(": ")[0] for line in lines] == ["a.py:1:5", "a.py:9:1", "b.py:1:1"]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_long_headline_goes_on_below_between_words(width: int) -> None:
    message = "`keep` holds " + "many words " * 20 + "at the end"
    lines = one(None, finding(at(1, 1, 2), message=message), width=width).splitlines()
    head = lines[: next(n for n, line in enumerate(lines) if "= docs" in line)]
    assert max(map(len, head)) <= width
    assert " ".join(line.strip() for line in head) == f"train.py:1:1: warning[MEM101] {message}"


def test_a_long_path_leaves_the_message_the_lines_below() -> None:
    found = one(None, finding(at(1, 1, 2), path=f"src/{'long/' * 14}train.py"), width=60).splitlines()
    assert found[0].endswith("train.py:1:1: warning[MEM101]")
    assert found[1] == "  `total` keeps the graph"


@pytest.mark.parametrize("room", [57, 77, 117])
@pytest.mark.parametrize("before", [0, 30, 200])
@pytest.mark.parametrize("behind", [0, 30, 200])
def test_both_lines_of_a_change_are_cut_around_it_at_the_same_column(
    room: int, before: int, behind: int
) -> None:
    old, new = ("a" * before + middle + "z" * behind for middle in ("(loss)", "(loss.detach())"))
    rows = minidiff.compare([old], [new])
    frame = Frame("", 1, 80, room + 4)
    shown = ["".join(text for text, _ in line)[4:] for line in minidiff.draw(list(rows), frame)]
    assert "(loss)" in shown[0]
    assert "(loss.detach())" in shown[1]
    assert shown[0].index("(loss") == shown[1].index("(loss")
    assert max(map(len, shown)) <= room


def test_lines_that_replace_one_another_are_each_cut_around_their_own_change() -> None:
    old = ["x" * 200 + "1", "y" * 10 + "1" + "z" * 200]
    new = ["x" * 200 + "2", "y" * 10 + "2" + "z" * 200]
    drawn = minidiff.draw([*minidiff.compare(old, new)], Frame("", 1, 80, 80))
    shown = ["".join(text for text, _ in line) for line in drawn]
    assert [line.rstrip(".z")[-1] for line in shown] == ["1", "1", "2", "2"]


def test_a_patch_keeps_its_bytes_and_takes_the_colours_of_git() -> None:
    text = unified_diff("a.py", "-- a\nx\n\tsame  \nold", "x\n\tsame  \nnew")
    plain, colored = io.StringIO(), io.StringIO()
    patch.render(text, plain, color=False)
    assert plain.getvalue() == text
    patch.render(text, colored, color=True)
    assert ANSI.sub("", colored.getvalue()) == text
    styles = [match[0] if (match := ANSI.match(line)) else "" for line in colored.getvalue().splitlines()]
    bold, cyan, red, green = (f"\x1b[{code}m" for code in (1, 36, 31, 32))
    assert styles == [bold, bold, cyan, red, "", "", red, "", green, ""]


# --- concise, statistics, json


def test_concise() -> None:
    assert rendered(run(), "concise") == (
        "train.py:13:9: warning: MEM101 [*] `total` keeps the autograd nodes of every step alive\n"
        "train.py:19:5: error: MEM201 `evaluate` builds a graph for every batch\n"
    )
    odd = finding(at(3, 5, 6), path="nb.ipynb", cell=2, message="two\n  lines")
    line = rendered([FileReport("nb.ipynb", (odd,))], "concise")
    assert line == "nb.ipynb:cell 2:3:5: warning: MEM101 two lines\n"


@pytest.mark.parametrize("name", ["text", "concise"])
def test_statistics(golden: Golden, name: str) -> None:
    more = [finding(at(n, 1, 2), code="MEM401", name="no-loader-workers", path="z.py") for n in range(1, 4)]
    reports = [*run(), FileReport("z.py", tuple(more))]
    golden("reports/statistics.txt", rendered(reports, name, statistics=True))
    assert ANSI.sub("", rendered(reports, name, statistics=True, color=True)) == rendered(
        reports, name, statistics=True
    )


def test_json_follows_its_schema(golden: Golden) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    text = rendered(run(), "json", color=True, statistics=True)
    jsonschema.validate(json.loads(text), SCHEMA)
    golden("reports/run.json", text)


def test_json_of_an_empty_run() -> None:
    document = json.loads(rendered([], "json"))
    jsonschema.validate(document, SCHEMA)
    assert document["findings"] == []


@pytest.mark.parametrize("key", ["line", "fingerprint", "verdict", "fix"])
def test_schema_refuses_a_finding_with_a_key_missing_or_unknown(key: str) -> None:
    for rename in ({}, {"unknown": 1}):
        document = json.loads(rendered(run(), "json"))
        removed = document["findings"][0].pop(key)
        document["findings"][0] |= {key: removed, **rename} if rename else {}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, SCHEMA)


def test_json_keeps_letters_and_survives_a_path_that_is_not_utf8() -> None:
    path = b"d\xff/\xc3\xa9.py".decode("utf-8", "surrogateescape")
    text = rendered([FileReport(path, (finding(at(1, 1, 2), path=path),))], "json")
    assert "/é.py" in text
    assert json.loads(text.encode("utf-8"))["findings"][0]["path"] == path


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_encoded(name: str) -> None:
    odd = finding(at(1, 1, 2), path="\udcff.py", message="\ud800 \x1b[2J")
    text = rendered([FileReport("\udcff.py", (odd,), text="a\udcff = 1\n")], name)
    assert b"\x1b" not in text.encode("utf-8")
