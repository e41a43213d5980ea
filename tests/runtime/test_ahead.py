"""Simulations that are begun before they are asked for: several at once, and taken in the order of asking."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memlint.errors import MemlintError
from memlint.runtime.parent import ahead, arms
from memlint.runtime.parent.arms import Outcome, Request, Target
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.plan import ORIGINAL
from memlint.runtime.parent.runs import Runs
from tests.runtime.support import target

REQUESTS = [Request(f"change-{number}", f"change {number}") for number in range(4)]


class Machine:
    """Stands in for what starts processes: a run takes `seconds`, or until it is to end."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds
        self.lock = threading.Lock()
        self.going = self.most = 0
        self.made: list[str] = []

    def run(
        self, target: Target, request: Request, workshop: Path, progress: Callable[[int], None],
        is_over: Callable[[], bool] = lambda: False, launcher: object = None,
    ) -> Outcome:  # fmt: skip
        with self.lock:
            self.going += 1
            self.most = max(self.most, self.going)
            self.made.append(request.name)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end and not is_over():
            progress(1)
            time.sleep(0.01)
        with self.lock:
            self.going -= 1
        if request.name == "change-3":
            raise MemlintError("no such thing")
        return Outcome(None, f"made {request.name}", "", "", held=1 << 20)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine()
    monkeypatch.setattr(arms, "run", found.run)
    monkeypatch.setattr(ahead, "at_once", lambda held, limit: 2)
    monkeypatch.setattr(ahead, "WORTH", 0.0)
    return found


def made_on(folder: Path, interrupt: Interrupt | None = None, **changes: object) -> Runs:
    file = folder / "train.py"
    aim = target(file, device="simulate", **changes)
    return Runs(aim, folder / "w", lambda now: None, Interrupt() if interrupt is None else interrupt)


def test_two_go_on_at_once_and_each_gets_its_own(machine: Machine, tmp_path: Path) -> None:
    runs = made_on(tmp_path)
    runs.begin(REQUESTS)
    assert [runs.arm(request).problem for request in REQUESTS[:3]] == [f"made change-{n}" for n in range(3)]
    with pytest.raises(MemlintError, match="no such thing"):
        runs.arm(REQUESTS[3])
    assert machine.most == 2
    assert sorted(machine.made) == [request.name for request in REQUESTS]
    # What was not begun, or is another run now, is made when it is asked for.
    runs.begin(REQUESTS[:2])
    assert runs.arm(Request("change-0", "change 0", changes=("other",))).problem == "made change-0"
    assert machine.made.count("change-0") == 3
    runs.close()


def test_what_nobody_asks_for_ends_with_the_rest(machine: Machine, tmp_path: Path) -> None:
    machine.seconds = 60
    runs = made_on(tmp_path)
    runs.begin(REQUESTS)
    began = time.monotonic()
    while machine.going < 2 and time.monotonic() < began + 5:
        time.sleep(0.01)
    runs.close()
    assert time.monotonic() - began < 10
    assert machine.going == 0
    assert len(machine.made) == 2


def test_an_interrupt_ends_what_goes_on(machine: Machine, tmp_path: Path) -> None:
    machine.seconds = 60
    interrupt = Interrupt()
    runs = made_on(tmp_path, interrupt)
    runs.begin(REQUESTS[:2])
    interrupt.number = 2
    assert runs.arm(REQUESTS[0]).arm is None
    runs.close()
    assert machine.going == 0


@pytest.mark.parametrize("changes", [{"ranks": 2}, {"device": "cpu"}])
def test_ranks_and_other_devices_are_run_one_by_one(
    machine: Machine, tmp_path: Path, changes: dict[str, object]
) -> None:
    file = tmp_path / "train.py"
    aim = target(file, **{"device": "simulate", **changes})
    runs = Runs(aim, tmp_path / "w", lambda now: None, Interrupt())
    runs.begin(REQUESTS[:2])
    assert not machine.made


@pytest.mark.parametrize(
    ("processors", "held", "limit", "number"),
    [(1, 1, 100, 1), (2, 1, 100, 2), (64, 1, 100, 4), (8, 40, 100, 2), (8, 60, 100, 1), (8, 0, 100, 1)],
)
def test_as_many_as_the_machine_has_room_for(
    monkeypatch: pytest.MonkeyPatch, processors: int, held: int, limit: int, number: int
) -> None:
    """Where nothing was seen of the host memory of a run, it is one."""
    monkeypatch.setattr(ahead.os, "sched_getaffinity", lambda pid: set(range(processors)), raising=False)
    assert ahead.at_once(held, limit) == number


def test_what_takes_no_time_is_made_when_it_is_asked_for(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ahead, "WORTH", 15.0)
    runs = made_on(tmp_path)
    runs.arm(Request(ORIGINAL, "the script as it is"))
    runs.begin(REQUESTS)
    assert machine.made == [ORIGINAL]


def test_the_original_says_what_a_run_holds(machine: Machine, tmp_path: Path) -> None:
    runs = made_on(tmp_path)
    runs.arm(Request(ORIGINAL, "the script as it is"))
    assert runs.held == 1 << 20
