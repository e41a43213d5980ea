"""Which losses are the sum of those of the parts of a batch, each by its share."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from tests.runtime.support import needs_torch

pytestmark = needs_torch

MEANS = (
    "F.cross_entropy(x, y)", "F.mse_loss(x, t)", "F.l1_loss(x, t)", "F.smooth_l1_loss(x, t) / 2",
    "F.binary_cross_entropy_with_logits(x, t)", "((x - t) ** 2).mean()", "(x - t).abs().sum(1).mean()",
    "-(t * x.log_softmax(1)).sum(-1).mean()", "1 - F.cosine_similarity(x, t).mean()",
    "F.mse_loss(x, t) + 0.1 * F.l1_loss(x, t)", "torch.stack([F.mse_loss(x, t), F.l1_loss(x, t)]).mean()",
    "sum([F.mse_loss(x, t), F.l1_loss(x, t)]) / 2", "torch.max(x, t).mean() - 0.5 * x.pow(2).mean()",
    "F.mse_loss(x, t) + 1e-4 * w.pow(2).sum()", "F.mse_loss(x, t) * torch.exp(-w.sum()) + w.sum()",
    "F.mse_loss(x.flatten(), t.flatten()).double()", "F.triplet_margin_loss(x, t, t + 1)",
    "F.mse_loss(x, t).squeeze()", "F.huber_loss(x, t)", "F.soft_margin_loss(x, t)",
    "F.margin_ranking_loss(x[:, 0], x[:, 1], t[:, 0])",
    "F.cross_entropy(x[:, None].transpose(1, 2), y[:, None])", "(x - t).abs().topk(2, 1).values.mean()",
    "F.mse_loss(x, t) / 8", "F.mse_loss(x, t) * 4",
)  # fmt: skip
OTHERS = (
    "F.mse_loss(x, t, reduction='sum')", "((x - t) ** 2).sum()", "(x - t).pow(2).sum() / 8",
    "(F.cross_entropy(x, y, reduction='none') * m).sum() / m.sum()",
    "(F.cross_entropy(x, y, reduction='none') * m).mean() / m.mean()",
    "F.mse_loss(x, t) * (1 / m.sum())", "F.mse_loss(x, t).sqrt()", "F.mse_loss(x, t) * F.l1_loss(x, t)",
    "1 - (2 * (x * t).sum() / (x + t).sum()).mean()", "1 - ((x * t).sum(0) / (x + t).sum(0)).mean()",
    "F.mse_loss(x, t) + (x - t).pow(2).sum()", "torch.stack([F.mse_loss(x, t), x.sum()]).sum()",
    "(x - t).norm()", "x.std(0).mean()", "w.pow(2).sum()", "F.kl_div(x.log_softmax(1), t, reduction='sum')",
    "F.mse_loss(x, t) * len(x)", "2 * (F.mse_loss(x, t) * x.shape[0])",
    "(x - t).abs().flatten().topk(16).values.mean()", "(x - t).abs().flatten().sort().values[:16].mean()",
)  # fmt: skip
PICKED = (
    "F.mse_loss(x[b], t[b])",
    "x.masked_select(b[:, None]).mean()",
    "F.cross_entropy(2 * x[b] + 1, y[b])",
)


CROSS_ENTROPIES = (
    ("x, y, label_smoothing=0.1", True),
    ("x, t.softmax(1)", True),
    ("x[b], y[b], label_smoothing=0.1", False),
    ("x[:7], y[:7], label_smoothing=0.1", False),
    ("x, y, label_smoothing=0.1, reduction='sum'", False),
)


def told(loss: str, device: str, mode: Any = None) -> bool:
    import torch
    from torch.nn import functional

    from memlint.runtime.child.changes.means import is_mean, mark_mean

    def cross_entropy(*args: Any, **kwargs: Any) -> Any:
        found = functional.cross_entropy(*args, **kwargs)
        mark_mean(found, *args, **kwargs)
        return found

    names = {
        "torch": torch, "F": functional,
        "m": torch.ones(8, device=device), "t": torch.ones(8, 5, device=device),
        "x": torch.rand(8, 5, device=device, requires_grad=True) * 1, "b": torch.ones(8).bool(),
        "w": torch.nn.Parameter(torch.ones(3, device=device)), "y": torch.zeros(8, device=device).long(),
        "cross_entropy": cross_entropy,
    }  # fmt: skip
    found = eval(loss, names)
    with mode if mode is not None else nullcontext():
        return is_mean(found, [8])


@pytest.mark.parametrize("loss", MEANS)
def test_a_mean_over_items_is_told_by_its_graph(loss: str) -> None:
    assert told(loss, "meta")


@pytest.mark.parametrize("loss", OTHERS)
def test_a_sum_a_ratio_or_a_mean_of_what_a_mask_leaves_is_none(loss: str) -> None:
    assert not told(loss, "meta")


@pytest.mark.parametrize("loss", PICKED)
def test_a_mean_over_what_a_mask_picks_is_none(loss: str) -> None:
    assert not told(loss, "cpu")


@pytest.mark.parametrize(
    ("loss", "means"), [("0.9 * F.mse_loss(x, t)", True), ("F.mse_loss(x, t) * 8", False)]
)
def test_a_factor_is_read_while_operations_are_followed(loss: str, means: bool) -> None:
    from torch.utils._python_dispatch import TorchDispatchMode

    class Follows(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*args, **(kwargs or {}))

    assert told(loss, "cpu", Follows()) is means


@pytest.mark.parametrize(("arguments", "means"), CROSS_ENTROPIES)
def test_a_cross_entropy_with_sums_in_its_graph_is_told_by_its_arguments(arguments: str, means: bool) -> None:
    assert told(f"cross_entropy({arguments})", "cpu") is means
    assert told(f"0.5 * cross_entropy({arguments}) + F.mse_loss(x, t)", "cpu") is means
    assert not told(f"F.cross_entropy({arguments})", "cpu")
