"""Loops under a replay: they do what Python does, whatever they hold, and end when told to."""

from __future__ import annotations

import ast
import copy
import operator
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.support import LOOP, measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]


def test_loops_mean_what_they_mean_without_a_replay(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import asyncio, copy, functools, inspect, pickle, sys, traceback, weakref
        import torch

        def call(*values): return values

        def leaves():
            found = []
            for i in range(9):
                call(i)
                if i == 2: continue
                if i == 5: break
                found.append(i)
            else:
                found.append("else")
            for i in range(2): call(i)
            else: found.append("else")
            return found
        assert leaves() == [0, 1, 3, 4, "else"]

        def stars():
            for first, *rest in [(1, 2, 3), (4,)]: yield call(first, *rest)
        assert list(stars()) == [(1, 2, 3), (4,)]

        def grows_while_it_runs():
            items = [3]
            for item in items:
                call(item)
                if item: items.append(item - 1)
            return items
        assert grows_while_it_runs() == [3, 2, 1, 0]

        class Bar:
            def __init__(self, items): self.items, self.said, self.closed = items, [], False
            def __iter__(self):
                try: yield from self.items
                finally: self.closed = True
            def set_description(self, text): self.said.append(text)
        for i in (bar := Bar(range(3))): bar.set_description(str(i))
        assert bar.said == ["0", "1", "2"] and bar.closed
        def left():
            bar = Bar(range(3))
            for i in bar:
                call(i)
                return bar
        assert left().closed

        class Old:
            def __getitem__(self, i):
                if i > 2: raise IndexError
                return i
        for i in Old(): call(i)
        assert i == 2

        class Item: pass
        def items():
            for _ in range(3): yield call(Item())[0]
        alive = []
        for item in items():
            call(alive.append(weakref.ref(item)))
            del item
            assert alive[-1]() is None, "an item lives longer than it did"

        class Nets:
            __private = [1, 2]
            def total(self):
                total = 0
                for x in self.__private: total += call(x)[0]
                return total
        assert Nets().total() == 3

        async def ticks():
            for i in range(3):
                await asyncio.sleep(0)
                yield i
        async def collect():
            found = []
            async for i in ticks(): call(found.append(i))
            return found
        assert asyncio.run(collect()) == [0, 1, 2]

        def fails():
            for i in 5: call(i)
        try: fails()
        except TypeError as error:
            assert str(error) == "'int' object is not iterable"
        def raises():
            for i in items_that_fail(): call(i)
        def items_that_fail():
            yield 1
            raise KeyError("in the iterator")
        try: raises()
        except KeyError as error:
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__]
            first = raises.__code__.co_firstlineno
            assert lines[-2:] == [first + 1, first + 4], lines

        def whiles():
            found, i = [], 0
            while (i := i + 1) < 9:
                call(i)
                if i == 2: continue
                while True:
                    call(i)
                    if i > 3: found.append(-i)
                    break
                if i == 5: break
                found.append(i)
            while call(i)[0] < 7: i += 1
            else: found.append("else")
            while call(i)[0] < 9: i += 1
            while False: call(i)
            while 1:
                for _ in range(3): break
                call(i)
                try:
                    if i > 10: break
                finally: i += 1
            return found, i, sorted(locals())
        assert whiles() == ([1, 3, -4, 4, -5, "else"], 12, ["_", "found", "i"]), whiles()
        name, before = "", {"name", *globals()}
        n = 0
        while n < 3:
            for name in globals(): call(name)
            n += 1
            call(exec(f"new_{n} = 1"))
        assert set(globals()) - before == {"before", "n", "new_1", "new_2", "new_3"}

        def yields():
            got = None
            while (got := (yield call(got)[0])) != "stop": call(got)
            return "left"
        asks = yields()
        assert [next(asks), asks.send(1), asks.send(2)] == [None, 1, 2]
        try: asks.send("stop")
        except StopIteration as error: assert error.value == "left"
        async def waits(n=0):
            while await asyncio.sleep(0, n) < 3: call(n := n + 1)
            return n
        assert asyncio.run(waits()) == 3
        def ambiguous():
            i = 0
            while (i < 3
                   and torch.ones(2)):
                call(i)
        try: ambiguous()
        except RuntimeError as error:
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__]
            first = ambiguous.__code__.co_firstlineno
            assert first + 2 <= lines[-1] <= first + 3, (first, lines)
        def stops():
            it = iter([1, 2])
            while True:
                if not call(next(it))[0]: break
        try: stops()
        except StopIteration: pass
        class Nest:
            n = 0
            while call(n)[0] < 2: n += 1
        assert Nest.n == 2 and "while (got :=" in inspect.getsource(yields)

        assert "for i in range(9):" in inspect.getsource(leaves)
        @torch.jit.script
        def scripted(x, n: int):
            for i in range(n): x = torch.relu(x) + i
            return x
        assert scripted(torch.zeros(1), 3).item() == 3
        def later(x, n: int):
            for i in range(n): x = torch.relu(x) + i
            return x
        assert torch.jit.script(later)(torch.zeros(1), 3).item() == 3

        assert pickle.loads(pickle.dumps(leaves)) is leaves
        kept = {name: value for name, value in globals().items() if name.startswith("__memlint")}
        assert copy.deepcopy(kept) and pickle.dumps(kept)
        for function in (leaves, whiles):
            apart = type(function)(function.__code__, {"call": call})
            assert apart() == function()
        exec("for i in range(3): call(i)")
        print("all")
        """,
    )
    arm = measure(path, tmp_path / "w", steps=25)
    assert arm.failure is None, arm.failure
    assert arm.stopped == "the script ended"


def test_modules_of_the_project_are_bounded_too_and_leave_no_bytecode(tmp_path: Path) -> None:
    script(
        tmp_path,
        LOOP + "def fit(n):\n    for _ in range(n): step()\n    print('behind')\n",
        "pkg/engine.py",
    )
    uses = "import pkg.engine, inspect\npkg.engine.fit(100)\nassert inspect.getsource(pkg.engine.fit)\n"
    path = script(tmp_path, uses)
    arm = measure(path, tmp_path / "w", steps=6)
    assert (arm.stopped, len(arm.steps)) == ("the script ended", 6)
    assert [(cut.file, cut.ran, cut.of) for cut in arm.cuts] == [("pkg/engine.py", 6, 100)]
    assert not list(tmp_path.rglob("*.pyc"))


def test_what_torch_compile_traces_holds_nothing_of_memlint(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.child.limits import loops
    from memlint.runtime.child.limits.loops import Loops, Opener
    from memlint.runtime.child.log import Log
    from memlint.runtime.child.tracking import guards

    for module in (guards, loops):
        monkeypatch.setattr(module, "is_compiling", lambda: True)
    items = [1]
    assert Opener(Loops({}))((items, 0)) is items
    called = []
    assert guards.Guards(Log(), str).around(called.append, "")(1) is None
    assert not called


class Clock:
    """Stands in for the time module: time passes when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    from memlint.runtime.child.limits import bounds, budget, loops

    made = Clock()
    for module in (bounds, budget, loops):
        monkeypatch.setattr(module, "time", made)
    return made


class StoppedError(Exception):
    pass


class Bench:
    """A script's text run under bounds of its own, with functions that stand for what torch's hooks tell."""

    def __init__(
        self, clock: Clock, text: str, schedule: Any = None, timeout: float = 300.0,
        repeats: Callable[[str], bool] = lambda series: False, at_least: int = 0,
    ) -> None:  # fmt: skip
        from memlint.runtime.child.limits.bounds import Bounds
        from memlint.runtime.child.log import Log
        from memlint.runtime.child.tracking.tracker import Sites
        from memlint.session import Schedule

        self.clock, self.log, self.evaluations = clock, Log(), 0
        sites = Sites(self.log, lambda path: False)
        self.bounds = Bounds(
            schedule or Schedule(), lambda path: True, sites, self.log, self._stop,
            explores=schedule is None, timeout=timeout, at_least=at_least,
        )  # fmt: skip
        self.bounds.repeats = repeats
        self.bounds.evaluations = lambda: self.evaluations
        self.bounds.may_train = lambda: "train" in text or "step" in text
        self.steps = self.forwards = 0
        tree = self.bounds.loops.transformer("train.py").visit(ast.parse(text))
        names = {"forward": self.forward, "train": self.train, "keep": self.keep, "bench": self}
        names |= self.bounds.rewriting()[1]
        exec(compile(ast.fix_missing_locations(tree), "train.py", "exec"), names)

    def _stop(self, why: str) -> None:
        raise StoppedError(why)

    def forward(self, seconds: float = 0.1, size: int = 8) -> None:
        index = len(self.log.raw)
        self.log.raw.append((size, 0, "forward", -1, "cpu", False))
        self.log.events += [index, ~index]
        self.clock.now += seconds
        self.forwards += 1
        self.bounds.tick("forward at train.py:1", self.forwards)

    def keep(self) -> None:
        self.log.events.append(len(self.log.raw))
        self.log.raw.append((8, 0, "forward", -1, "cpu", False))

    def train(self, seconds: float = 0.1) -> None:
        self.clock.now += seconds
        self.bounds.backward()
        self.steps += 1
        self.bounds.tick("optimizer step at train.py:9", self.steps)


@pytest.mark.parametrize(("schedule", "at_least", "made"), [
    (None, 0, 4),  # the first run ends where its steps repeat
    (7, 0, 4),
    (7, 6, 6),  # one of a change makes as many as the first, or its reserve is not held against the same
    (7, 9, 7),
])  # fmt: skip
def test_steps_that_repeat_end_a_run_that_has_made_as_many_as_the_first(
    clock: Clock, schedule: int | None, at_least: int, made: int
) -> None:
    from memlint.session import Schedule

    text = "for _ in range(100): train()"
    ticks = iter(range(1, 101))
    bench = Bench(
        clock, text, schedule and Schedule(schedule, first=schedule),
        repeats=lambda series: next(ticks) >= 4, at_least=at_least,
    )  # fmt: skip
    assert bench.steps == made


def test_a_long_evaluation_ends_when_its_iterations_repeat(clock: Clock) -> None:
    text = "def estimate():\n  for _ in range(200): forward()\n" + 3 * "estimate()\n"
    bench = Bench(clock, text)
    first, *later = bench.bounds.decided().cuts["train.py:estimate:1"].values()
    assert 30 < first < 60
    assert all(8 <= count < 20 for count in later)
    (cut,) = bench.bounds.cuts(str)
    assert (cut.of, cut.times, cut.why) == (200, 3, "peak and bytes repeat")
    again = Bench(clock, text, bench.bounds.decided())
    assert again.forwards == bench.forwards


@pytest.mark.parametrize(
    "body",
    [
        "forward(size=i)",  # no two iterations are the same
        "keep(); forward()",  # something is left behind
        "forward(); bench.add(bench.step(i))",  # a rollout whose length sizes what is trained on
        "forward(); later(i)",  # it may train yet
        "forward(seconds=0.01)",  # it does not take long
    ],
)
def test_what_could_change_memory_is_not_left_out(clock: Clock, body: str) -> None:
    Bench.add, Bench.step = (lambda self, x: None), (lambda self, x: x)  # type: ignore[attr-defined]
    text = f"def later(i):\n  if i > 1e6: loss.backward()\nfor i in range(200): {body}\n"
    bench = Bench(clock, text)
    assert bench.forwards == 200
    assert bench.bounds.cuts(str) == ()


def test_an_evaluation_takes_a_share_of_the_time_at_most(clock: Clock) -> None:
    bench = Bench(clock, "for i in range(10_000): forward(size=i)\n")
    assert 30 / 0.1 <= bench.forwards < 310
    assert bench.bounds.cuts(str)[0].why == "it took 10% of the time limit"


def test_steps_go_on_while_they_are_cheap(clock: Clock) -> None:
    text = "for e in range(50):\n  for i in range(1000): forward(0); train(bench.each)\n  bench.epochs = e\n"
    for each, steps in ((0.001, 250), (0.125, 65), (2.0, 25)):
        Bench.each = each  # type: ignore[attr-defined]
        bench = Bench(clock, text)
        assert bench.bounds.decided().steps == steps
        follows = Bench(clock, text, bench.bounds.decided())
        assert (follows.steps, follows.forwards) == (bench.steps, bench.forwards)
        assert bench.epochs >= 2  # type: ignore[attr-defined]


def test_the_loop_that_is_ended_is_the_one_with_all_of_a_step(clock: Clock) -> None:
    from memlint.session import Schedule

    text = """
for epoch in range(3):
  for i in range(50):
    bench.bounds.backward()
    for optimizer in ("a", "b"): bench.bounds.tick(f"optimizer step at train.py:{optimizer}", 1)
    bench.seen = (epoch, i)
    bench.pairs = getattr(bench, "pairs", 0) + 1
"""
    bench = Bench(clock, text, Schedule(10))
    assert bench.pairs == 10 + 2 + 2  # type: ignore[attr-defined]
    assert bench.bounds.budget.all_steps == 2 * bench.pairs  # type: ignore[attr-defined]


ANY_LOOP = """
for epoch in range(9):
  n = 0
  while n < 1000:
    n += 1
    forward(); train()
    if n > 500: break
  bench.epochs = epoch
while True:
  forward()
  if bench.forwards > 900: break
"""


def test_a_while_statement_is_left_as_a_for_statement_is(clock: Clock) -> None:
    from memlint.session import Schedule

    bench = Bench(clock, ANY_LOOP, Schedule(20))
    assert (bench.steps, bench.epochs) == (20 + 8 * 2, 8)  # type: ignore[attr-defined]
    (cut,) = bench.bounds.cuts(str)
    assert (cut.line, cut.ran, cut.of, cut.times) == (4, 20, 0, 9)
    # What only forwards happen in may wait for something: it is not cut.
    assert bench.forwards == 901
    assert bench.bounds.loops._open == {}


@pytest.mark.parametrize("leave", ["raise KeyError", "return", "break"])
def test_however_a_while_statement_is_left_it_is_closed(clock: Clock, leave: str) -> None:
    text = f"""
def once():
  n = 0
  while n < 9:
    n += 1
    train()
    if n == 3: {leave}
for _ in range(3):
  try: once()
  except KeyError: pass
"""
    bench = Bench(clock, text)
    assert bench.steps == 9
    assert bench.bounds.loops._open == {}


def test_backwards_beside_an_idle_optimizer_are_steps_after_a_while(clock: Clock) -> None:
    from memlint.session import WINDOW, Schedule

    body = "bench.bounds.backward(); bench.bounds.tick('backward at a', i + 1)"
    text = f"train\nfor i in range(1000): {body}\n"
    bench = Bench(clock, text, Schedule(25))
    assert bench.bounds.budget.all_steps == WINDOW + 1
    (cut,) = bench.bounds.cuts(str)
    assert (cut.ran, cut.why) == (WINDOW + 1, f"{WINDOW + 1} backwards were enough")


def test_a_loop_of_another_kind_within_the_pass_ends_the_run(clock: Clock) -> None:
    from memlint.session import Schedule

    with pytest.raises(StoppedError, match=r"^46 optimizer steps$"):
        Bench(clock, "for epoch in range(9):\n  while True: train()\n", Schedule(20))


def test_without_an_optimizer_a_loop_of_forwards_without_end_is_over_when_it_repeats(clock: Clock) -> None:
    with pytest.raises(StoppedError, match=r"^\d+ forwards without an optimizer step$"):
        Bench(clock, "while True: forward()\n")
    with pytest.raises(StoppedError, match=r"^\d+ optimizer steps$"):
        Bench(clock, "n = 0\nwhile True:\n  n += 1\n  forward()\n  if n > 1000: train()\n")


def test_a_mistake_of_memlint_leaves_the_loop_alone(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.child.limits.bounds import Bounds

    def breaks(self: Any, loop: Any) -> None:
        raise ValueError

    monkeypatch.setattr(Bounds, "_evaluation", breaks)
    bench = Bench(clock, "for i in range(100): forward()\n")
    assert bench.forwards == 100
    assert list(bench.log.notes) == ["loops were no longer shortened: ValueError in memlint"]


def test_a_loop_in_which_nothing_happens_costs_next_to_nothing() -> None:
    from memlint.runtime.child.limits.loops import PATIENCE, Loops, Opener

    loops = Loops({})
    loops.transformer("a.py").visit(ast.parse("for i in x: f()"))
    opener = Opener(loops)
    items = [1, 2, 3]
    for _ in range(PATIENCE):
        assert opener((items, 0)) is not items
    assert opener((items, 0)) is items
    assert pickle.loads(pickle.dumps(opener))((items, 0)) is items
    assert isinstance(copy.deepcopy(opener), operator.itemgetter)
    # Counted in lines of Python, not in seconds: two calls for an item, the look at it left out.
    loops = Loops({})
    loops.transformer("a.py").visit(ast.parse("for i in x: f()"))
    inner, calls = Opener(loops)((iter(range(1000)), 0)), 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    for _ in inner:
        pass
    sys.setprofile(None)
    assert calls <= 1001 + 5
    assert time.perf_counter() > 0


def test_a_file_that_cannot_be_changed_runs_as_it_is_and_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.child.limits import rewrite

    class Broken(rewrite.Transformer):
        def visit_Module(self, node: ast.Module) -> ast.AST:  # noqa: N802 - a name of ast
            raise RuntimeError("no tree")

    failures: list[Exception] = []
    rewriter = rewrite.Rewriter(lambda path: True, (Broken,), {}, failures.append)
    monkeypatch.setattr(rewrite, "_installed", rewriter)
    found: dict[str, Any] = {}
    exec(rewrite.compiled("x = 1", "train.py"), found)
    assert (found["x"], [str(error) for error in failures]) == (1, ["no tree"])
    with pytest.raises(SyntaxError):
        rewrite.compiled("x =", "train.py")
    assert len(failures) == 1


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("for epoch in range(3):\n  for i in range(20): train()", 60),
        ("for i in range(20): train()\nfor i in [1, 2]: train()", 22),
        ("step = 0\nwhile step < 20:\n  step += 1\n  train()", 0),
        pytest.param("for fold in range(5): [train() for i in range(30)]", 0, id="a loop of a library"),
        pytest.param("for i in range(20): train()\ntrain()", 0, id="in no loop"),
    ],
)
def test_loops_of_known_lengths_say_how_many_steps_there_will_be(clock: Clock, text: str, steps: int) -> None:
    bench = Bench(clock, f"{text}\n")
    assert bench.bounds.planned("optimizer step at train.py:9") == steps
