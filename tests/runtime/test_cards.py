"""The table of GPUs: names and sizes that are understood, and what a simulation takes from a card."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.errors import UsageError
from memlint.runtime import cards
from memlint.runtime.simulate.scratch.workspaces import LARGE, LT, USUAL, Lt, cublas, cublaslt
from tests.runtime.simulated import MLP, needs_simulation, simulated

pytestmark = pytest.mark.usefixtures("torch_once")


@pytest.mark.parametrize("text", ["RTX-4090", "rtx 4090", "NVIDIA GeForce RTX 4090", "4090", "rtx4090"])
def test_a_card_has_many_spellings(text: str) -> None:
    assert cards.card_of(text).name == "RTX-4090"


@pytest.mark.parametrize(
    ("text", "size"),
    [("24GiB", 24 << 30), ("24 gib", 24 << 30), ("24", 24 << 30), ("1.5T", 3 << 39), ("24GB", 24 * 10**9),
     ("512MiB", 512 << 20), ("100B", 100)],
)  # fmt: skip
def test_a_size_stands_for_a_card_with_any_context(text: str, size: int) -> None:
    card = cards.card_of(text)
    assert (card.name, card.total) == ("", size)
    assert card.context_least == min(row.context_least for row in cards.known())
    assert card.context_most == max(row.context_most for row in cards.known())


@pytest.mark.parametrize("text", ["A100-50GB", "", "0", "-3GiB", "24 apples", "inf", "3080", "RTX 2070"])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no card called"):
        cards.card_of(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("a100", "A100-40GB or A100-80GB"), ("NVIDIA V100", "V100-16GB or V100-32GB"), ("RTX-4080", "RTX-4090")],
)
def test_a_model_with_several_sizes_is_asked_back(text: str, meant: str) -> None:
    with pytest.raises(UsageError) as error:
        cards.card_of(text)
    assert f"did you mean {meant}?" in str(error.value.hint)


def test_the_table_is_plausible() -> None:
    assert len({card.name for card in cards.known()}) == len(cards.known()) >= 17
    for card in cards.known():
        assert 0 < card.context_least <= card.context_most < 1 << 30, card.name
        assert card.total <= card.total_most < 1.02 * card.total, card.name
        assert card.usable < card.total - card.context_least, card.name


def test_the_workspace_of_cublas_follows_card_torch_and_environment() -> None:
    assert cublas((8, 0), "2.13.0+cpu", {}) == USUAL == 8_519_680
    assert cublas((9, 0), "2.4.0", {}) == LARGE == 32 << 20
    assert [cublas((10, 0), version, {}) for version in ("2.11.0", "2.12.0", "3.0")] == [USUAL, LARGE, LARGE]
    assert cublas((9, 0), "2.13.0", {"CUBLAS_WORKSPACE_CONFIG": ":4096:2:16:8"}) == USUAL
    assert cublas((9, 0), "2.13.0", {"CUBLAS_WORKSPACE_CONFIG": "nonsense"}) == LARGE


def test_the_workspace_of_cublaslt_follows_torch_and_environment() -> None:
    versions = ("2.8.0", "2.9.0", "2.11.0+cu130", "2.12.0", "2.13.0+cpu")
    assert [cublaslt(version, {}) for version in versions] == [
        Lt(LT, False), Lt(LT, True), Lt(LT, True), Lt(0, False), Lt(0, False)
    ]  # fmt: skip
    assert cublaslt("2.13.0", {"TORCH_CUBLASLT_UNIFIED_WORKSPACE": "0"}) == Lt(LT, True)
    assert cublaslt("2.11.0", {"TORCH_CUBLASLT_UNIFIED_WORKSPACE": "1"}) == Lt(0, False)
    assert cublaslt("2.11.0", {"CUBLASLT_WORKSPACE_SIZE": "4096"}) == Lt(4 << 20, True)
    assert cublaslt("2.11.0", {"DISABLE_ADDMM_CUDA_LT": "1"}) == Lt(0, False)


@needs_simulation
@pytest.mark.parametrize(
    ("product", "taken"),
    [
        ("layer(x)", LT),
        ("layer(x.view(4, 2, 64))", LT),
        ("torch.nn.Linear(64, 32, bias=False, device='cuda')(x)", 0),
        ("layer(x[:1])", 0),  # a row is no matrix
        ("torch.nn.Linear(64, 1, device='cuda')(x)", 0),
        ("torch.addmm(x, x, layer.weight.t() @ layer.weight)", 0),
        ("checkpoint(lambda x: layer(x).sin(), x, use_reentrant=False).sum().backward()", 2 * LT),
    ],
)
def test_cublaslt_works_beside_cublas_where_a_bias_is_added(
    product: str, taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As torch 2.11 did on an H200: once for each thread that has cuBLASLt multiply."""
    monkeypatch.setenv("TORCH_CUBLASLT_UNIFIED_WORKSPACE", "0")
    text = f"""
import torch
from torch.utils.checkpoint import checkpoint
layer = torch.nn.Linear(64, 32, device="cuda")
x = torch.zeros(8, 64, device="cuda", requires_grad=True)
{product}
"""
    arm = simulated(tmp_path, text)
    assert arm.failure is None
    assert arm.cuda["workspaces"] % LARGE == taken


@needs_simulation
def test_a_simulation_takes_size_kernels_and_workspaces_from_the_card(tmp_path: Path) -> None:
    asks = """
import torch
properties = torch.cuda.get_device_properties(0)
assert torch.cuda.get_device_name() == properties.name == "Tesla T4"
assert torch.cuda.get_device_capability() == (properties.major, properties.minor) == (7, 5)
free, total = torch.cuda.mem_get_info()
assert total == properties.total_memory and 0 < total - free < 300 << 20
assert torch.cuda.is_bf16_supported() and not torch.cuda.is_bf16_supported(including_emulation=False)
"""
    card = cards.card_of("T4")
    arm = simulated(tmp_path, MLP + asks, card=card)
    assert arm.failure is None
    assert arm.machine == f"Tesla T4 (compute capability 7.5, {card.total / (1 << 30):.4g} GiB)"
    assert arm.cuda["workspaces"] == 2 * USUAL
    assert arm.cuda["allocated_peak"] == arm.peak.bytes + arm.cuda["rounding"] + 2 * USUAL


ATTENTION = """
import torch
from torch.nn.functional import scaled_dot_product_attention as attention
q = torch.randn(1, 2, 256, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True)
attention(q, q, q).sum().backward()
"""


@needs_simulation
def test_attention_is_plain_where_the_card_has_no_kernel_for_it(tmp_path: Path) -> None:
    peaks = {
        name: simulated(tmp_path / name, ATTENTION, card=cards.card_of(name)).peak.bytes
        for name in ("T4", "A100-40GB")
    }
    # The plain kernel holds the matrix of attention, once for each head.
    assert peaks["T4"] - peaks["A100-40GB"] > 2 * 256 * 256 * 2
