"""What names of unseen functions say: a number, a graph, a backward."""

from __future__ import annotations

import pytest

from memlint.analysis.knowledge.naming import differentiating_call, numeric_call


@pytest.mark.parametrize("name", ["photometric", "inpaint", "reconstruct", "accumulate", "f", "stop"])
def test_words_within_other_words_are_no_metrics(name: str) -> None:
    assert not numeric_call(name)


@pytest.mark.parametrize("name", ["calc_acc", "getAccuracy", "to_np", "as_str", "mIoU", "f1_macro", "top5"])
def test_metrics_texts_and_sizes_are_numbers(name: str) -> None:
    assert numeric_call(name)


@pytest.mark.parametrize("name", ["require_backward", "before_backward", "skip_backward", "set_backward"])
def test_speaking_of_a_backward_runs_none(name: str) -> None:
    assert not differentiating_call(name)


@pytest.mark.parametrize("name", ["backward", "manual_backward", "loss_backward", "optimize", "adapt"])
def test_functions_that_run_backward_say_so(name: str) -> None:
    assert differentiating_call(name)


@pytest.mark.parametrize("name", ["adapt_step", "adapt_lr", "_adapt_step_size"])
def test_what_adapts_the_size_of_a_step_runs_no_backward(name: str) -> None:
    assert not differentiating_call(name)
