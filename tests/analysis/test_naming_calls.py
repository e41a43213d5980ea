"""What names of unseen functions say: a number, or something that may carry a graph."""

from __future__ import annotations

import pytest

from memlint.analysis.knowledge.naming import numeric_call


@pytest.mark.parametrize("name", ["photometric", "inpaint", "reconstruct", "accumulate", "f", "stop"])
def test_words_within_other_words_are_no_metrics(name: str) -> None:
    assert not numeric_call(name)


@pytest.mark.parametrize("name", ["calc_acc", "getAccuracy", "to_np", "as_str", "mIoU", "f1_macro", "top5"])
def test_metrics_texts_and_sizes_are_numbers(name: str) -> None:
    assert numeric_call(name)
