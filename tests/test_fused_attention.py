"""What MEM803 writes in place of attention by hand gives the same results and gradients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).with_name("rules") / "MEM803"


def outcome(name: str, masked: bool) -> list[Any]:
    """The results of an example and the gradients of what it was given, without dropout."""
    import torch

    there: dict[str, Any] = {}
    exec(compile((EXAMPLES / name).read_text(encoding="utf-8"), name, "exec"), there)
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 6, 6, requires_grad=True) for _ in range(3))
    x = torch.randn(2, 6, 16, requires_grad=True)
    mask = torch.rand(2, 1, 6, 6).tril() if masked else None
    hidden = (torch.rand(2, 1, 6, 6) > 0.3) | torch.eye(6).bool() if masked else None
    biased = there["Biased"](24).eval()
    results = [
        there["Causal"](16, 4, 8).eval()(x), biased(q, k, v, mask),
        there["of_pictures"](q, k, v), there["short"](q, k, v, hidden),
        there["of_whole_numbers"](q, k, v, torch.eye(6).long()),
    ]  # fmt: skip
    sum(result.pow(2).sum() for result in results).backward()  # type: ignore[union-attr]
    return [*results, *(each.grad for each in (x, q, k, v))]


@pytest.mark.parametrize("masked", [False, True])
def test_a_fused_kernel_computes_what_was_computed_by_hand(masked: bool) -> None:
    torch = pytest.importorskip("torch")
    name = "bad_masked_and_dropped"
    by_hand, fused = outcome(f"{name}.py", masked), outcome(f"{name}.fixed_unsafe.py", masked)
    assert all(torch.allclose(*pair, atol=1e-5) for pair in zip(by_hand, fused, strict=True))
