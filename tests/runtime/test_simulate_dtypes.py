"""Types that a GPU refuses are refused in a simulation, at the line and with what torch says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.simulated import types
from tests.runtime.simulated import needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

HEAD = """
import torch
import torch.nn.functional as F
half = torch.zeros(8, 8, device="cuda", dtype=torch.bfloat16)
full = torch.ones(8, 8, device="cuda")
rows = torch.arange(8, device="cuda")
"""
REFUSED = {
    "half @ full": "expected mat1 and mat2 to have the same dtype",
    "half @ full[0]": "expected scalar type BFloat16 but found Float",
    "F.linear(half, full)": "expected mat1 and mat2 to have the same dtype",
    "torch.addmm(full, half, half)": "self and mat2 must have the same dtype, but got Float and BFloat16",
    "F.conv2d(half[None, None], full[None, None])": "weight type (float) should be the same",
    "F.conv2d(half[None, None], half[None, None], full[0, :1])": "bias type (float) should be the same",
    "half.index_add_(0, rows, full)": "index_add_(): self (BFloat16) and source (Float) must have the same",
    "half.index_add(0, rows, full)": "index_add_(): self (BFloat16) and source (Float) must have the same",
    "half.index_copy(0, rows, full)": "expected to have the same dtype, but got (self) BFloat16",
    "half.__setitem__(rows, full)": "Index put requires the source and destination dtypes match",
    "half.__setitem__(full > 0, full.flatten())": "Index put requires the source and destination",
    "F.binary_cross_entropy(half.sigmoid(), full)": "Found dtype Float but expected BFloat16",
    "F.scaled_dot_product_attention(half[None], full[None], full[None])": "query, key, and value",
    "F.cross_entropy(full, rows, half[0])": "expected scalar type Float but found BFloat16",
    "F.cross_entropy(full, rows.int())": "not implemented for 'Int'",
    "rows[None] @ rows[:, None]": "not implemented for 'Long'",
    "rows.softmax(0)": "not implemented for 'Long'",
    "F.layer_norm(half, (8,), full[0])": "expected scalar type BFloat16 but found Float",
    "F.group_norm(half[None], 2, full[0])": "expected scalar type BFloat16 but found Float",
    "F.batch_norm(full, None, None, half[0], half[0], True)": "expected scalar type Float but found BFloat16",
    "torch.linalg.cholesky(half)": "not implemented for 'BFloat16'",
    "F.gelu(rows)": "not implemented for 'Long'",
    "F.scaled_dot_product_attention(full[None], full[None], full[None], rows[None])": "attn_mask dtype",
    "F.conv1d(rows[None, None], rows[None, None])": "not supported for Long",
    "F.interpolate(rows[None, None], scale_factor=2)": "not implemented for 'Long'",
    "torch.sparse.mm(full.to_sparse(), half)": "expected scalar type Float but found BFloat16",
    "rows.double().long().mul_(0.5)": "result type Float can't be cast to the desired output type Long",
    "(rows > 3).std()": "std and var only support",
    "full.index_select(0, full[0])": "not implemented for 'Float'",
}
"""Expressions and what torch says, as an H200 with torch 2.11 did for each."""

TAKEN = (
    "half + full",
    "torch.cat([half, full])",
    "torch.where(full > 0, half, full)",
    "F.mse_loss(half, full)",
    "F.batch_norm(half, None, None, full[0], full[0], True)",
    "half.__setitem__(slice(0, 4), full[:4])",
    "half.__setitem__(full > 0, full.sum())",
    "half.__setitem__(rows, 1.0)",
    "full.add_(half)",
    "half @ half",
    "torch.zeros(8, device='cuda').index_add_(0, rows, full[0])",
    "F.interpolate(rows[None, None].byte(), scale_factor=2)",
    "torch.where(rows.byte(), full, half)",
    "F.cross_entropy(full, rows.byte())",
    "F.cross_entropy(full, torch.ones_like(rows).byte(), label_smoothing=0.1)",
    "F.cross_entropy(full.clone().requires_grad_(), (full[0] * 3).byte()).backward()",
    "full.mul_(half).add_(2)",
)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_a_gpu_refuses_ends_the_script_at_its_line(expression: str, tmp_path: Path) -> None:
    arm = simulated(tmp_path, f"{HEAD}{expression}\n")
    assert arm.failure is not None
    assert REFUSED[expression] in arm.failure.message
    assert arm.failure.line == HEAD.count("\n")


def test_what_a_gpu_takes_is_taken(tmp_path: Path) -> None:
    arm = simulated(tmp_path, HEAD + "\n".join(TAKEN) + "\n")
    assert arm.failure is None, arm.failure


def test_calls_run_or_fail_as_they_did_on_a_gpu() -> None:
    """Whether each of the calls that an H200 was given runs."""
    _, known = types.read()
    found = dict(zip(known, types.simulated(list(known)), strict=True))
    assert {call: said for call, said in found.items() if (said == "ran") != (known[call] == "ran")} == {}
