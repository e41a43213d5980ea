"""Reading an event log: peaks, roles, curves and growth, on logs written by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from memlint.runtime.child.attribution import analyse, growing
from memlint.runtime.child.log import Birth, Log, Tick
from memlint.session import Growth


def log_of(iterations: int, *, leak: int = 0, series: str = "optimizer step", wobble: bool = False) -> Log:
    """Every iteration makes a temporary (line 1), and leaves `leak` bytes behind (line 2)."""
    log = Log(sites=[("/p/a.py", 1), ("/p/a.py", 2)])
    for number in range(iterations):
        add(log, 1000 * (number % 5 + 1) if wobble else 1000, site=0)
        passing = len(log.births) - 1
        if leak:
            add(log, leak, site=1)
        log.events.append(~passing)
        log.ticks.append(Tick(len(log.events), series, float(number), -1, -1, number))
    return log


def add(log: Log, size: int, *, site: int = -1, phase: str = "forward", recording: bool = False) -> int:
    log.events.append(len(log.births))
    log.births.append(Birth(size, site, phase, -1, "cpu", recording))
    return len(log.births) - 1


def growth(log: Log) -> tuple[Growth, ...]:
    return growing.growth(analyse.replay(log, "cpu"), str)


def test_four_bytes_per_step_are_found_in_seven_steps_however_sizes_vary() -> None:
    (row,) = growth(log_of(7, leak=4, wobble=True))
    assert (row.file, row.line, row.bytes_per_step, row.block_bytes_per_step) == ("/p/a.py", 2, 4, 512)
    assert (row.steps, row.of) == (3, 3)


def test_no_growth_is_claimed_without_a_leak_or_with_too_few_steps() -> None:
    assert growth(log_of(30, wobble=True)) == ()
    assert growth(log_of(6, leak=1 << 20)) == ()


def series_of(steps: int, *makes: Callable[[int], int]) -> Log:
    """In each step n, the n-th line leaves `makes[n](step)` bytes behind for ever."""
    log = Log(sites=[("/p/a.py", number + 1) for number in range(len(makes))])
    for step in range(steps):
        for site, size in enumerate(makes):
            if size(step):
                add(log, size(step), site=site)
        log.ticks.append(Tick(len(log.events), "optimizer step", 0.0, -1, -1, 0))
    return log


def test_what_only_some_iterations_leave_behind_is_counted_by_its_bytes() -> None:
    every_third, late = growth(series_of(60, lambda n: 512 * (n % 3 == 0), lambda n: 64 * (n >= 30)))
    assert (every_third.bytes, every_third.steps, every_third.of) == (19 * 512, 19, 56)
    assert every_third.bytes_per_step == 19 * 512 // 56
    assert (late.line, late.bytes_per_step, late.steps, late.of, late.since) == (2, 64, 28, 28, 31)


@pytest.mark.parametrize(
    "makes",
    [
        pytest.param(lambda n: 64 * (n < 12), id="a cache that is full after twelve steps"),
        pytest.param(lambda n: 64 * (n in (9, 10)), id="state made late"),
        pytest.param(lambda n: 64 * (n in (3, 5, 9, 17)), id="ever seldomer"),
        pytest.param(lambda n: 64 * (n < 2), id="a warm-up"),
    ],
)
def test_what_stops_to_grow_is_no_growth(makes: Callable[[int], int]) -> None:
    assert growth(series_of(60, makes)) == ()


def test_what_takes_the_place_of_another_lines_bytes_is_no_growth() -> None:
    """A list of 30 tensors of line 1, of which each step replaces one by a tensor of line 2."""
    log = Log(sites=[("/p/a.py", 1), ("/p/a.py", 2)])
    rows = [add(log, 100, site=0) for _ in range(30)]
    for _ in range(25):
        log.events.append(~rows.pop())
        add(log, 100, site=1)
        log.ticks.append(Tick(len(log.events), "optimizer step", 0.0, -1, -1, 0))
    assert growth(log) == ()


def test_one_tensor_that_is_ever_larger_grows() -> None:
    log = Log(sites=[("/p/a.py", 1)])
    last = None
    for step in range(20):
        new = add(log, 1000 * (step + 1), site=0)
        log.events += [~last] if last is not None else []
        last = new
        log.ticks.append(Tick(len(log.events), "optimizer step", 0.0, -1, -1, 0))
    (row,) = growth(log)
    assert (row.bytes_per_step, row.bytes, row.steps, row.of) == (1000, 16_000, 16, 16)


def test_what_grows_within_an_episode_is_told_apart_from_what_a_step_leaves() -> None:
    """Fifteen forwards a step, of which line 1 is kept until the step and line 2 for ever."""
    log = Log(sites=[("/p/a.py", 1), ("/p/a.py", 2)])
    for _ in range(12):
        episode = []
        for _ in range(15):
            episode.append(add(log, 100, site=0))
            add(log, 20, site=1)
            log.ticks.append(Tick(len(log.events), "forward at a.py:1", 0.0, -1, -1, 0))
        log.events += [~index for index in episode]
        log.ticks.append(Tick(len(log.events), "optimizer step at a.py:9", 0.0, -1, -1, 0))
    rows = {(row.line, row.series.partition(" at ")[0]): row.bytes_per_step for row in growth(log)}
    assert rows == {(2, "optimizer step"): 300, (1, "forward"): 100}


def test_a_growth_that_ends_with_its_evaluation_is_seen_within_it() -> None:
    log = log_of(3)
    for _ in range(2):
        held = []
        for _ in range(10):
            held.append(add(log, 100, site=1, phase="evaluation"))
            log.ticks.append(Tick(len(log.events), "forward at a.py:2", 0.0, -1, -1, 0))
        log.events += [~index for index in held]
        log.ticks.append(Tick(len(log.events), "optimizer step", 0.0, -1, -1, 0))
    (row,) = growth(log)
    assert (row.line, row.bytes_per_step, row.series, row.bytes) == (2, 100, "forward at a.py:2", 1000)


def test_passes_of_different_lengths_are_each_counted_from_their_own_beginning() -> None:
    log = Log(sites=[("/p/a.py", 1)])
    for length in (12, 5, 6, 20, 7):
        episode = []
        for _ in range(length):
            episode.append(add(log, 100, site=0))
            log.ticks.append(Tick(len(log.events), "forward at a.py:1", 0.0, -1, -1, 0))
        log.events += [~index for index in episode]
        log.ticks.append(Tick(len(log.events), "optimizer step at a.py:9", 0.0, -1, -1, 0))
    (row,) = growth(log)
    assert (row.bytes_per_step, row.bytes, row.since) == (100, 2000, 24)


def test_what_a_pass_gathers_after_each_forward_is_counted_to_its_end() -> None:
    log = log_of(3)
    for _ in range(3):
        held = []
        for _ in range(8):
            log.ticks.append(Tick(len(log.events), "forward at a.py:2", 0.0, -1, -1, 0))
            held.append(add(log, 100, site=1, phase="evaluation"))
            log.events.append(~add(log, 900, site=1, phase="evaluation"))
        log.events += [~index for index in reversed(held)]
        log.ticks.append(Tick(len(log.events), "optimizer step", 0.0, -1, -1, 0))
    (row,) = growth(log)
    assert (row.bytes_per_step, row.bytes) == (100, 800)


def test_what_an_epoch_gathers_and_then_drops_is_a_growth_of_its_steps() -> None:
    """Twelve steps an epoch; a window of the last four keeps as much at once, but does not grow."""
    log = Log(sites=[("/p/a.py", 1), ("/p/a.py", 2)])
    window: list[int] = []
    for _ in range(3):
        total = []
        for _ in range(12):
            log.ticks.append(Tick(len(log.events), "forward at a.py:1", 0.0, -1, -1, 0))
            total.append(add(log, 100, site=0))
            window.append(add(log, 700, site=1))
            if len(window) > 4:
                log.events.append(~window.pop(0))
            log.ticks.append(Tick(len(log.events), "optimizer step at a.py:9", 0.0, -1, -1, 0))
        log.events += [~index for index in total]
    (row,) = growth(log)
    assert (row.line, row.bytes_per_step, row.series) == (1, 100, "optimizer step at a.py:9")
    assert (row.steps, row.of) == (8, 8)


def test_each_phase_has_a_highest_of_its_own() -> None:
    log = Log()
    first = add(log, 300, phase="setup")
    log.events.append(~first)
    for phase, size in (("forward", 100), ("evaluation", 50), ("forward", 10)):
        add(log, size, phase=phase)
    assert analyse.tops(analyse.replay(log, "cpu")) == {"setup": 300, "forward": 160, "evaluation": 150}


def test_the_peak_and_its_holders_add_up() -> None:
    log = Log(sites=[("/p/a.py", 1)])
    weight = add(log, 400, phase="setup")
    log.kinds[weight] = "parameter"
    saved = add(log, 300, site=0, recording=True)
    log.boundaries.append(len(log.events))
    passing = add(log, 50, phase="backward")
    log.events += [~passing, ~saved]
    line = analyse.replay(log, "cpu")
    assert analyse.peak_of(line).bytes == 750
    assert analyse.peak_of(line).phase == "backward"
    assert analyse.by_kind(line) == {"parameter": 400, "activation": 300, "temporary": 50}
    assert analyse.by_phase(line) == {"setup": 400, "forward": 300, "backward": 50}
    assert sum(row.bytes for row in analyse.by_line(line, str)) == 750


def test_what_outlives_its_backward_is_a_gradient_or_a_graph() -> None:
    log = Log()
    add(log, 300, phase="backward")
    add(log, 200, phase="backward", recording=True)
    passing = add(log, 50, phase="backward")
    log.events.append(~passing)
    log.boundaries.append(len(log.events))
    add(log, 10)
    line = analyse.replay(log, "cpu")
    kinds = [analyse.kind_of(line, index) for index in range(3)]
    assert kinds == ["gradient", "activation", "temporary"]


def test_a_resize_moves_the_curve() -> None:
    log = Log()
    first = add(log, 100)
    log.events += [(first, 400), ~first]
    line = analyse.replay(log, "cpu")
    assert line.curve == [100, 500, 0]
    assert analyse.peak_of(line).bytes == 500


def test_the_device_with_the_accelerator_bytes_is_measured() -> None:
    log = Log()
    add(log, 1 << 30)
    log.births.append(Birth(8, -1, "forward", -1, "cuda:1", False))
    log.events.append(1)
    assert analyse.device_of(log) == "cuda:1"
    assert analyse.replay(log, "cuda:1").curve == [0, 8]
    assert analyse.device_of(log_of(3)) == "cpu"


def test_a_thinned_curve_keeps_its_extremes_and_its_order() -> None:
    log = log_of(5000, leak=8)
    spike = add(log, 10_000_000)
    log.events.append(~spike)
    line = analyse.replay(log, "cpu")
    points = analyse.curve(line)
    assert len(points) <= analyse.CURVE_POINTS + 2
    assert max(bytes_ for _, bytes_ in points) == max(line.curve)
    assert all(a[0] < b[0] for a, b in pairwise(points))


def test_steps_are_those_of_the_busiest_optimizer_else_of_the_busiest_forward() -> None:
    log = Log()
    for series, count in (
        ("forward at a.py:1", 9),
        ("optimizer step at a.py:2", 3),
        ("optimizer step at a.py:3", 5),
    ):
        log.ticks += [Tick(0, series, 0.0, -1, -1, 0)] * count
    assert {tick.series for tick in analyse.steps_of(log)} == {"optimizer step at a.py:3"}
    log.ticks = [tick for tick in log.ticks if tick.series.startswith("forward")]
    assert len(analyse.steps_of(log)) == 9
    assert analyse.steps_of(Log()) == []


def test_an_empty_log_has_a_peak_of_nothing() -> None:
    line = analyse.replay(Log(), "cpu")
    assert analyse.peak_of(line).bytes == 0
    assert analyse.by_line(line, str) == ()
    assert analyse.curve(line) == ()


def test_a_log_is_whole_whatever_happens_while_it_is_copied() -> None:
    log = Log()

    def go_on() -> None:
        log.sites.append(("a.py", len(log.sites)))
        log.raw.append((4, len(log.sites) - 1, "setup", -1, "cpu", False))
        log.events.append(len(log.raw) - 1)

    class Racing(list[Any]):
        """Once it has been read, the script goes on."""

        def __iter__(self) -> Any:
            found = [*super().__iter__()]
            go_on()
            return iter(found)

    log.raw, log.events = Racing(), Racing()
    go_on()
    frozen = log.freeze()
    assert len(log.raw) > 1
    assert all(event < len(frozen.births) for event in frozen.events)
    assert all(birth.site < len(frozen.sites) for birth in frozen.births)


def test_the_ribbon_says_where_each_phase_began() -> None:
    log = Log()
    for phase in ("setup", "forward", "forward", "backward", "forward"):
        log.events.append(~add(log, 8, phase=phase))
    line = analyse.replay(log, "cpu")
    assert analyse.ribbon(line) == ((0, "setup"), (2, "forward"), (6, "backward"), (8, "forward"))


def test_without_tensors_there_is_no_ribbon() -> None:
    assert analyse.ribbon(analyse.replay(Log(), "cpu")) == ()


def test_a_long_ribbon_keeps_its_longest_stretches() -> None:
    log = Log()
    for number in range(3 * analyse.CURVE_POINTS):
        add(log, 8, phase=("forward", "backward")[number % 2])
    for _ in range(9):
        add(log, 8, phase="evaluation")
    ribbon = analyse.ribbon(analyse.replay(log, "cpu"))
    assert len(ribbon) <= analyse.CURVE_POINTS
    assert ribbon[-1] == (3 * analyse.CURVE_POINTS, "evaluation")
