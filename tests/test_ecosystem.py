"""The comparison of the ecosystem check: what counts as a difference, and what the table says. No network."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from benchmarks.ecosystem import __main__ as command
from benchmarks.ecosystem import fixes
from benchmarks.ecosystem.packages import Linted, Package, Place, UnavailableError, linted, pinned, unpacked
from benchmarks.ecosystem.review import JUDGED as SEVERITIES
from benchmarks.ecosystem.review import (
    Count,
    Judgement,
    Row,
    as_json,
    counted,
    differences,
    extent,
    from_json,
    judgements,
    rendered,
    table,
    total,
)

ERROR = Place("vision", "train.py", 30, "MEM101", "error", "`total` keeps every graph")
WARNING = Place("vision", "train.py", 41, "MEM601", "warning", "`net` trains under DataParallel")
JUDGED = [Judgement(ERROR, "right", "summed for the log"), Judgement(WARNING, "wrong", "one GPU")]
VISION = Linted(3, (ERROR, WARNING), ())
AUDIO = Linted(2, (), ("old.py: Missing parentheses in call to 'print'",))
COUNTS = {"vision": Count(3, 0, {"MEM101 error": 1, "MEM601 warning": 1}), "audio": Count(2, 1, {})}
HEADER = "package\tpath\tline\tcode\tseverity\tverdict\treason\n"
LEAK = """
import torch
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for x in torch.randn(8, 2, 4):
    optimizer.zero_grad()
    loss = net(x).mean()
    loss.backward()
    optimizer.step()
    total += net(x).mean()
"""


def test_findings_are_counted_by_rule_and_severity() -> None:
    assert {"vision": counted(VISION), "audio": counted(AUDIO)} == COUNTS


def test_counts_are_read_back() -> None:
    assert from_json(as_json(COUNTS)) == COUNTS


def test_nothing_differs_from_itself() -> None:
    assert differences(COUNTS, {"vision": VISION, "audio": AUDIO}, JUDGED) == []


def test_a_new_finding_is_shown_with_its_place() -> None:
    new = Place("audio", "fit.py", 7, "MEM601", "warning", "`model` trains under DataParallel")
    said = differences(COUNTS, {"audio": Linted(2, (new,), AUDIO.unchecked)}, JUDGED)
    assert said == [
        "audio: MEM601 warning: 0 before, 1 now",
        "    fit.py:7: `model` trains under DataParallel",
        "audio/fit.py:7: MEM601 warning that nobody has judged: `model` trains under DataParallel",
    ]


def test_a_finding_that_is_gone_is_a_difference() -> None:
    said = differences(COUNTS, {"vision": Linted(3, (ERROR,), ())}, JUDGED)
    assert said == [
        "vision: MEM601 warning: 1 before, 0 now",
        "vision/train.py:41: MEM601: was judged, and is no longer reported",
    ]


def test_a_file_that_is_no_longer_checked_is_a_difference() -> None:
    said = differences(COUNTS, {"vision": Linted(3, (ERROR, WARNING), ("a.py: internal error",))}, JUDGED)
    assert said == ["vision: files not checked: 0 before, 1 now"]


def test_a_finding_needs_a_judgement_of_its_own_place() -> None:
    elsewhere = Place("vision", "train.py", 31, "MEM101", "error", "`sum` keeps every graph")
    said = differences(COUNTS, {"vision": Linted(3, (elsewhere, WARNING), ())}, JUDGED)
    assert said == [
        "vision/train.py:31: MEM101 error that nobody has judged: `sum` keeps every graph",
        "vision/train.py:30: MEM101: was judged, and is no longer reported",
    ]


def test_a_judgement_of_a_package_that_was_left_out_does_not_matter() -> None:
    assert differences(COUNTS, {"audio": AUDIO}, JUDGED) == []


def test_the_table_adds_up() -> None:
    twice = Judgement(ERROR, "useless", "said by MEM102 as well")
    rows = table(COUNTS, [*JUDGED, twice])
    assert rows == [Row("MEM101", "error", 1, 2, 1, 1, 0), Row("MEM601", "warning", 1, 1, 0, 0, 1)]
    assert extent(COUNTS) == "2 packages, 5 files, 1 of them not checked"
    assert rendered(rows).splitlines()[2:] == [
        "| error | MEM101 | 1 | 2 | 1 | 1 | 0 |",
        "| error | all | 1 | 2 | 1 | 1 | 0 |",
        "| warning | MEM601 | 1 | 1 | 0 | 0 | 1 |",
        "| warning | all | 1 | 1 | 0 | 0 | 1 |",
    ]


def test_judgements_are_read_back() -> None:
    assert (
        judgements(HEADER + "vision\ttrain.py\t30\tMEM101\terror\tright\tsummed\n")[0].place.key == ERROR.key
    )
    with pytest.raises(ValueError, match="line 2"):
        judgements(HEADER + "vision\ttrain.py\t30\tMEM101\terror\tperhaps\tsummed\n")
    with pytest.raises(ValueError, match="line 2"):
        judgements(HEADER + "vision\ttrain.py\t30\n")


def test_the_committed_files_fit_together() -> None:
    pins = [package.name for package in pinned(command.PINS)]
    counts = from_json(command.COUNTS.read_text(encoding="utf-8"))
    reviewed = judgements(command.REVIEW.read_text(encoding="utf-8"))
    assert len(pins) >= 30
    assert list(counts) == pins
    assert all(row.read == row.found for row in table(counts, reviewed) if row.severity in SEVERITIES)


def test_few_findings_of_the_review_are_wrong_or_useless() -> None:
    rows = table(
        from_json(command.COUNTS.read_text(encoding="utf-8")),
        judgements(command.REVIEW.read_text(encoding="utf-8")),
    )
    for severity, most_wrong in (("error", 0.02), ("warning", 0.03)):
        sums = total([row for row in rows if row.severity == severity])
        assert sums.wrong <= most_wrong * sums.read
        assert sums.useless <= 0.1 * sums.read


def archive(cache: Path, files: dict[str, str]) -> Package:
    """A source package of some files, lying where pip would have put it."""
    cache.mkdir(exist_ok=True)
    path = cache / "tiny-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as source:
        for name, text in files.items():
            member = tarfile.TarInfo(f"tiny-1.0/{name}")
            member.size = len(text.encode())
            source.addfile(member, io.BytesIO(text.encode()))
    return Package("tiny", "1.0", path.name, hashlib.sha256(path.read_bytes()).hexdigest())


def test_an_archive_in_the_cache_is_unpacked_and_linted(tmp_path: Path) -> None:
    files = {"train.py": LEAK, "tests/test_train.py": LEAK, "setup.py": "print('no framework')"}
    package = archive(tmp_path, files)
    found = linted(package, unpacked(package, tmp_path), 1)
    assert [place.key for place in found.places] == [("tiny", "train.py", 11, "MEM101", "error")]
    assert (found.files, found.unchecked) == (2, ())
    assert [path.name for path in (tmp_path / "src").iterdir()] == ["tiny-1.0"]


CACHED = """
import functools
from torch import nn
class Part(nn.Module):
    @functools.cache
    def frames(self, count):
        return count // 2
"""
WHOLE = (
    CACHED.replace("class Part", "from part import Part\nclass Whole")
    + """
    def __init__(self):
        super().__init__()
        self.part = Part()
"""
)


def test_findings_of_one_cause_in_two_files_are_one(tmp_path: Path) -> None:
    whole = WHOLE.replace("return count // 2", "return self.part.frames(count)")
    package = archive(tmp_path, {"part.py": CACHED, "whole.py": whole})
    found = linted(package, unpacked(package, tmp_path), 1)
    assert [(place.path, place.code) for place in found.places] == [("whole.py", "MEM129")]


def test_a_file_that_cannot_be_checked_does_not_stop_the_others(tmp_path: Path) -> None:
    package = archive(tmp_path, {"a.py": "import torch\nprint 1\n", "train.py": LEAK})
    found = linted(package, unpacked(package, tmp_path), 1)
    assert [place.path for place in found.places] == ["train.py"]
    assert found.files == 2
    assert [problem.partition(":")[0] for problem in found.unchecked] == ["a.py"]


def test_another_archive_is_refused(tmp_path: Path) -> None:
    package = archive(tmp_path, {"train.py": LEAK})
    (tmp_path / package.archive).write_bytes(b"something else")
    with pytest.raises(UnavailableError, match="not the archive that was reviewed"):
        unpacked(package, tmp_path)


def test_what_pip_complains_of_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "WARNING: old\n  error: backend-unavailable\n  \n  note: not pip\nhint: See above for details.\n"
    answer = subprocess.CompletedProcess([], 1, "", said)
    monkeypatch.setattr(subprocess, "run", lambda *words, **options: answer)
    with pytest.raises(UnavailableError, match=r"^tiny==1.0: error: backend-unavailable$"):
        unpacked(Package("tiny", "1.0", "tiny-1.0.tar.gz", ""), tmp_path)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command's data, for one package whose archive lies in the cache; nothing is reviewed yet."""
    package = archive(tmp_path, {"train.py": LEAK})
    fields = {"name": "tiny", "version": "1.0", "archive": package.archive, "sha256": package.sha256}
    lines = [f'{key} = "{value}"' for key, value in fields.items()]
    for name, text in {
        "PINS": "\n".join(["[[package]]", *lines]),
        "COUNTS": "{}",
        "REVIEW": HEADER,
    }.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(command, name, path)
    return tmp_path


def test_the_command_from_the_first_run_to_the_table(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--cache", str(tiny), "-j", "1"]
    assert command.main(options) == 1
    assert "tiny: MEM101 error: 0 before, 1 now" in capsys.readouterr().out
    assert command.main([*options, "--update"]) == 0
    assert command.main([*options, "--list"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("tiny\ttrain.py\t11\tMEM101\terror\t`total`")
    assert "tiny/train.py:11: MEM101 error that nobody has judged" in shown
    judged = HEADER + "tiny\ttrain.py\t11\tMEM101\terror\tright\ta second forward pass\n"
    command.REVIEW.write_text(judged, encoding="utf-8")
    assert command.main([*options, "--only", "tiny"]) == 0
    assert capsys.readouterr().out == "1 findings in 1 packages, all as reviewed\n"
    assert command.main(["--table"]) == 0
    assert "| error | MEM101 | 1 | 1 | 1 | 0 | 0 |" in capsys.readouterr().out


def test_an_unknown_package_is_an_error_of_one_line(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "huge"]) == 2
    assert capsys.readouterr().err == "error: no package huge (there are: tiny)\n"


def test_the_fixes_of_a_folder_are_counted_shown_and_applied_to_a_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "leak.py").write_text(LEAK, encoding="utf-8")
    assert fixes.main([str(tmp_path)]) == 0
    assert "MEM101\tsafe\tadd `...`\t1\n" in capsys.readouterr().out
    assert fixes.main(["--diffs", "MEM101", str(tmp_path)]) == 0
    assert "+    total += net(x).mean().detach()\n" in capsys.readouterr().out
    assert (tmp_path / "leak.py").read_text(encoding="utf-8") == LEAK


def test_a_fix_that_breaks_a_copy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("x = 1\n", encoding="utf-8")
    spoil = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text() + '(')"
    monkeypatch.setattr(fixes, "_FIX", [sys.executable, "-c", spoil])
    name = f"{tmp_path.name}/a.py"
    assert fixes.faults(tmp_path, [tmp_path / "a.py"]) == [
        f"{name}: does not compile after its fixes",
        f"{name}: is changed by a second pass",
    ]
