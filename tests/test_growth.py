"""benchmarks.growth: what it makes, and that the cost of it can be measured."""

import ast
import cProfile
import pstats
from pathlib import Path

from benchmarks.giants.made import HEAD, TRAINING
from benchmarks.growth import cost, project, script
from memlint.__main__ import main


def test_scripts_and_projects_have_the_size_that_was_asked_for() -> None:
    lines = script(1000).count("\n")
    assert 900 < lines <= 1000
    texts = project(5)
    assert len(texts) == 5
    assert all(ast.parse(text) for text in (*texts.values(), script(100)))


def test_a_run_has_a_cost() -> None:
    taken = cost({"train.py": script(40)})
    assert 0.1 < taken.seconds < 60
    assert 20 < taken.peak < 1000


def test_a_sum_that_goes_through_many_loops_is_followed_once(tmp_path: Path) -> None:
    """Calls are counted, not seconds: twice the loops may make four times as many."""

    def calls(loops: int) -> int:
        path = tmp_path / f"loops_{loops}.py"
        path.write_text(HEAD + TRAINING * loops, encoding="utf-8")
        counted = cProfile.Profile()
        with counted:
            assert (
                main(["check", "--isolated", "--no-cache", "--quiet", "--output-format", "json", str(path)])
                == 1
            )
        return int(pstats.Stats(counted).total_calls)  # type: ignore[attr-defined]

    calls(1)  # imports what the others find
    few = calls(1)
    assert calls(40) - few < 4 * (calls(20) - few)
