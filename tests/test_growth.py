"""benchmarks.growth: what it makes, and that the cost of it can be measured."""

import ast

from benchmarks.growth import cost, project, script


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
