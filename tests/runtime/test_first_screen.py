"""The first screen of a replay: whether the script fits, what is missing, and the one next command."""

from __future__ import annotations

import io
import shlex
from dataclasses import replace
from typing import Any

import pytest

from memlint.report.layout import short_path, width_of
from memlint.report.session import html, report
from memlint.report.session.answer import answer
from memlint.report.session.growth_words import leak_in_words
from memlint.report.session.next_command import next_command
from memlint.report.session.text import BARS, held, sparkline
from memlint.report.summary import RenderOptions
from memlint.session import (
    ENDED,
    SIMULATED,
    Cut,
    Exhausted,
    Failure,
    Judged,
    Leak,
    Peak,
    Session,
    Simulation,
    Verdict,
)
from tests.runtime.test_session import a_session

MIB = 1 << 20
GIB = 1 << 30
OOM = Failure("OutOfMemoryError", "no more", "train.py", 5, True)


def session(status: str = "refuted", **changes: Any) -> Session:
    """One finding with that status on a CPU of 16 GiB; `changes` are those of the original arm."""
    made = a_session()
    (row,) = made.findings[1:]
    verdict = Verdict(status, None, None, None, "cpu", "why")
    there = replace(made.environment, memory=16 * GIB)
    arm = replace(made.original, **changes)
    return replace(made, arms=(arm,), findings=(replace(row, verdict=verdict),), environment=there)


def with_fix(made: Session, applicability: str = "safe") -> Session:
    """The finding replaces `l` by `l.item()` in line 9."""
    edit = {"line": 9, "column": 6, "end_line": 9, "end_column": 7, "text": "l.item()"}
    fix = {"applicability": applicability, "title": "store a number", "caution": "", "edits": [edit]}
    (row,) = made.findings
    return replace(made, findings=(replace(row, finding={**row.finding, "fix": fix}),))


def text_of(made: Session, width: int = 80) -> str:
    out = io.StringIO()
    report.render(made, out, RenderOptions(width=width))
    return out.getvalue()


CUDA = {"allocated_peak": 110 * MIB, "reserved_peak": 128 * MIB, "device_total": 80 * GIB}
WINDOW = {"forward": 3, "backward": 3}
LEAK = Leak("train.py", 9, "cpu", "optimizer step", MIB, 21 * MIB, 21, 21, 1, ())


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (session(), "fits: peak 100 MiB of tensors; the machine has 16 GiB"),
        (session(device="cuda:0", cuda=CUDA), "fits: peak 110 MiB allocated, 128 MiB reserved of 80 GiB"),
        (session(stopped="time limit of 5 s"), "fits, as far as it ran: peak 100 MiB"),
        (replace(session(), leaks=(LEAK,)), "fits so far: peak 100 MiB"),
        (session(failure=OOM), "does not fit: out of memory at train.py:5; peak until then 100 MiB"),
        (
            session(failure=Failure("ValueError", "", "train.py", 5, False)),
            "fits until it failed after 25 steps: peak 100 MiB",
        ),
        (
            session(exhausted=Exhausted("train.py", 5, 1, 2, MIB, {}, ())),
            "fits only after running out of memory 2 times: peak 100 MiB",
        ),
        (session(steps=()), "no step ran: the peak of training is not known (no forward, backward"),
        (
            session(stopped="time limit of 5 s", series="backward at a.py:1", counts=WINDOW, optimizers=1),
            "no optimizer step ran: the peak of training is not known (only 3 forwards, 3 backwards)",
        ),
        (session(series="backward at a.py:1", counts=WINDOW, optimizers=1, stopped=ENDED), "fits: peak 100"),
        (session(steps=(), processes=2), "no step ran in the process of the script itself: the peak of"),
        (session(device="mps:0"), "not measured: the script ran on mps:0"),
        (
            session(device="unknown", failure=Failure("Killed", "killed", "", 0, False)),
            "not measured: the run left no result",
        ),
    ],
)
def test_the_headline_says_whether_it_fits(made: Session, said: str) -> None:
    assert answer(made).headline.startswith(said)
    assert said in html.render(made)


def test_a_leak_is_followed_to_the_end_of_the_memory() -> None:
    facts = answer(replace(session(), leaks=(LEAK,))).facts
    assert "it grows by 1 MiB per step: at that rate full after 16,284 steps" in facts


def test_a_leak_that_comes_seldom_is_counted_by_its_times() -> None:
    # Between two of them lie as many steps as the bounds of the loops have left.
    leak = replace(LEAK, bytes=64 * MIB, steps=4, of=108, bytes_per_step=64 * MIB // 108)
    facts = answer(replace(session(), leaks=(leak,))).facts
    assert "it grows by 16 MiB at a time, 4 times so far: full after 1,017 more" in facts
    assert leak_in_words(session(), leak) == "16 MiB at a time, made at train.py:9"


@pytest.mark.parametrize(
    ("values", "bars"),
    [([100] * 3, [0, 0, 0]), ([1000, 1001, 1002], [0, 0, 0]), ([100, 200], [0, 7]), ([980, 1000], [0, 2])],
)
def test_bars_of_little_growth_are_low(values: list[int], bars: list[int]) -> None:
    assert sparkline(values, 40) == "".join(BARS[bar] for bar in bars)


def test_the_peak_has_its_line_and_the_forward_that_its_backward_belongs_to() -> None:
    peak = Peak(100 * MIB, "backward", 3, 700, "train.py", 7, "train.py", 5)
    (where, *_) = answer(session(peak=peak)).facts
    assert where == "at train.py:7 (backward of train.py:5), in backward, step 3"


def test_processes_that_nothing_follows_are_counted() -> None:
    facts = answer(session(processes=2)).facts
    assert "the script started 2 processes, which memlint does not follow" in facts


@pytest.mark.parametrize(
    ("cuts", "said"),
    [
        ((Cut("train.py", 5, 25, 90, 1, "25 optimizer steps were enough", True),), True),
        ((Cut("train.py", 5, 1, 90, 1, "a pass over a loader", False),), False),
        ((), False),
    ],
)
def test_steps_that_chance_makes_larger_are_named_where_some_did_not_run(
    cuts: tuple[Cut, ...], said: bool
) -> None:
    steps = session().original.steps
    varied = tuple(replace(step, peak=(20 + at * 7 % 25) * MIB) for at, step in enumerate(steps))
    fact = "most steps need between 25 MiB and 40 MiB of tensors: one that did not run may need more"
    assert (fact in answer(session(steps=varied, cuts=cuts, stopped=ENDED, growth=())).facts) is said
    # An evaluation now and then is no chance.
    even = tuple(replace(step, peak=(40 if at % 8 == 0 else 20) * MIB) for at, step in enumerate(steps))
    assert not any("most steps" in text for text in answer(session(steps=even, cuts=cuts, growth=())).facts)


def test_runs_that_are_missing_are_named_by_the_reason() -> None:
    titles = ("the same again", "MEM101 at train.py:9: store it", "all safe fixes", "all fixes", "one")
    made = replace(session(), missing=tuple(f"{title}: interrupted" for title in titles))
    assert answer(made).facts[-1] == f"missing, interrupted: {'; '.join(titles[:3])} and 2 more"


def test_the_fix_is_shown_where_it_is_worth_to_be_applied() -> None:
    confirmed = with_fix(session("confirmed"))
    assert "  9 - t += l # </script>\n  9 + t += l.item() # </script>\n" in text_of(confirmed)
    assert '<span class="added"><b>    9</b> + t += l.item() # &lt;/script&gt;</span>' in html.render(
        confirmed
    )
    assert "l.item()" not in text_of(with_fix(session("refuted")))
    assert "l.item()" not in text_of(replace(confirmed, sources={}))


ARGUMENTS = "train.py --lr 0.1"


def simulated(**changes: Any) -> Session:
    made = session(device=SIMULATED, simulation=Simulation("one GPU"), cuda=CUDA, failure=OOM, **changes)
    return replace(made, options={"device": "simulate", "device_memory": 24 * GIB})


@pytest.mark.parametrize(
    ("made", "command"),
    [
        (with_fix(session("confirmed")), "memlint check --fix --select MEM101 train.py"),
        (
            with_fix(session("host_only"), "unsafe"),
            "memlint check --fix --unsafe-fixes --select MEM101 train.py",
        ),
        (session("confirmed"), "memlint rule MEM101"),
        (
            replace(with_fix(session("inconclusive")), options={"fixes": False}),
            f"memlint replay {ARGUMENTS}",
        ),
        (session("not_reached"), f"memlint replay --steps 100 {ARGUMENTS}"),
        (
            session("not_reached", stopped="time limit of 300 s", steps=()),
            f"memlint replay --timeout 1200 {ARGUMENTS}",
        ),
        (simulated(), f"memlint replay --device simulate --device-memory 96 {ARGUMENTS}"),
        (session("refuted"), None),
        (session("not_reached", stopped="the script ended"), None),
        (with_fix(session("inconclusive")), None),
    ],
)
def test_the_next_command_is_one_that_helps_or_none(made: Session, command: str | None) -> None:
    found = next_command(made)
    assert (found.command if found is not None else None) == command
    assert ("next: " in text_of(made)) == (command is not None)


def test_the_next_command_is_about_the_fix_that_saves_most() -> None:
    def row(code: str, applicability: str, saved: int) -> Judged:
        (found,) = with_fix(session("confirmed"), applicability).findings
        verdict = replace(found.verdict, measured_bytes=saved)
        return replace(found, finding={**found.finding, "code": code}, verdict=verdict)

    small, large = row("MEM122", "safe", 70_000), row("MEM203", "unsafe", 9 * MIB)
    found = next_command(replace(session(), findings=(small, large)))
    assert found is not None
    assert found.command == "memlint check --fix --unsafe-fixes --select MEM122,MEM203 train.py"
    found = next_command(replace(session(), findings=(row("MEM122", "safe", 10 * MIB), large)))
    assert found is not None
    assert found.command == "memlint check --fix --select MEM122 train.py"
    by_hand = [replace(each, finding={**each.finding, "fix": None}) for each in (small, large)]
    found = next_command(replace(session(), findings=tuple(by_hand)))
    assert found is not None
    assert found.command == "memlint rule MEM203"


def test_the_next_command_can_be_pasted_as_it_is() -> None:
    given = ("--name", "a b", "--pattern", "$HOME/*.pt", "it's")
    options = {"module": True, "nproc_per_node": 2, "sandbox": False, "timeout": 60.5}
    made = replace(session("not_reached"), script="pkg.train", arguments=given, options=options)
    found = next_command(made)
    assert found is not None
    words = shlex.split(found.command)
    assert words[:7] == ["memlint", "replay", "--steps", "100", "--timeout", "60.5", "--nproc-per-node"]
    assert words[8:] == ["--no-sandbox", "-m", "pkg.train", *given]
    shown = text_of(made, 50).partition("next: ")[2].partition("\n  reaches")[0]
    assert shlex.split(shown.replace("\\\n", "")) == words


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    sources = {"train.py": {"5": "    out = " + "net(x) + " * 30, "9": "t += l # </script>"}}
    made = replace(with_fix(session("confirmed")), leaks=(LEAK,), sources=sources)
    made = replace(made, missing=("the same again: interrupted after a very long time of nothing",) * 3)
    made = replace(made, arguments=tuple(f"--option-{n}" for n in range(30)))
    for line in text_of(made, width).splitlines():
        assert width_of(line) <= width, line


def test_the_next_command_reaches_what_check_leaves_out_in_tests() -> None:
    made = with_fix(session("confirmed"))
    found = {**made.findings[0].finding, "path": "tests/train.py"}
    command = next_command(replace(made, findings=(replace(made.findings[0], finding=found),)))
    assert command is not None
    assert command.command == "memlint check --fix --check-tests --select MEM101 tests/train.py"


@pytest.mark.parametrize("width", [80, 160])
def test_of_a_long_path_the_folders_are_cut_and_not_the_line(width: int) -> None:
    file = "/home/someone/projects/segmentation/engine/train_loop.py"
    made = session()
    row = replace(made.original.lines[0], file=file, line=88, forward_line=0, forward_file="", library="")
    long = replace(made, sources={file: {"88": "loss = criterion(network(images), targets.to(device))"}})
    (line,) = held(long, width, [row])
    shown = "".join(text for text, _ in line)
    assert ("/home" in shown, ".../engine/train_loop.py:88  loss" in shown) == (width == 160, width == 80)


@pytest.mark.parametrize(
    ("path", "room", "shown"),
    [
        ("train.py", 28, "train.py"),
        ("/data/project/train.py", 15, ".../train.py"),
        ("/data/project/train.py", 20, ".../project/train.py"),
        ("project/train.py", 28, "project/train.py"),
        ("train_with_a_long_name.py", 10, "train_with_a_long_name.py"),
    ],
)
def test_a_short_path_keeps_the_file(path: str, room: int, shown: str) -> None:
    assert short_path(path, room) == shown
