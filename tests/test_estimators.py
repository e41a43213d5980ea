"""The models of benchmarks/estimators: their shapes belong together, and the table is worked out right."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("name", ["mlp", "vgg", "resnet", "vit", "unet", "gpt", "bert", "lstm"])
def test_outputs_and_labels_of_each_model_belong_together(name: str) -> None:
    from benchmarks.estimators.models import CASES

    case = CASES[name]
    with torch.device("meta"):
        inputs, wanted = case.data("meta")
        loss = torch.nn.functional.cross_entropy(case.make()(inputs), wanted)
    assert inputs.shape[0] == case.batch
    assert loss.shape == ()


def test_a_row_says_how_far_each_answer_is_off() -> None:
    from benchmarks.estimators.__main__ import Answer, row

    answers = [Answer(2_000_000, 1.0), Answer(0, 1.0), Answer(500_000, 1.0)]
    assert row("mlp", 1_000_000, answers) == "| mlp | 1.0 | 2.0 (+100.00 %) | - | 0.5 (-50.00 %) |"
