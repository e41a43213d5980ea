"""Cached functions: run once for each model and arguments, and never shared between models."""

from __future__ import annotations

import pytest

from memlint.analysis.caching import cached
from memlint.analysis.model import ScriptModel


def test_a_cached_function_runs_once_for_each_model_and_arguments() -> None:
    runs: list[tuple[str, int]] = []

    @cached
    def doubled(model: ScriptModel, number: int) -> int:
        runs.append((model.text, number))
        return 2 * number

    one, other = ScriptModel.parse("a = 1\n"), ScriptModel.parse("b = 2\n")
    assert [doubled(one, 3), doubled(one, 3), doubled(one, 4), doubled(other, 3)] == [6, 6, 8, 6]
    assert runs == [("a = 1\n", 3), ("a = 1\n", 4), ("b = 2\n", 3)]


def test_a_failed_run_is_not_an_answer() -> None:
    runs: list[str] = []

    @cached
    def failing(model: ScriptModel) -> None:
        runs.append(model.text)
        raise ValueError("no")

    model = ScriptModel.parse("a = 1\n")
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            failing(model)
    assert len(runs) == 2
