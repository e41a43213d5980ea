"""Which kernel of attention torch would choose, by the rules of its sdp_utils.cpp."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.simulated import needs_simulation, simulated

pytestmark = needs_simulation

AMPERE, GAMING, HOPPER, TURING, VOLTA = (8, 0), (8, 6), (9, 0), (7, 5), (7, 0)


class Card:
    """A card of some compute capability, which counts how often it is asked for exactly that."""

    def __init__(self, capability: tuple[int, int]) -> None:
        self.known = capability
        self.exact = 0

    def at_least(self, major: int, minor: int = 0) -> bool:
        return self.known >= (major, minor)

    def capability(self) -> tuple[int, int]:
        self.exact += 1
        return self.known


def of(shape: tuple[int, ...], dtype: str = "float16"):  # type: ignore[no-untyped-def]
    import torch

    return torch.empty(shape, dtype=getattr(torch, dtype), device="meta")


def flash(query: tuple[int, ...], *, capability: tuple[int, int] = AMPERE, **changes: object) -> bool:
    from memlint.runtime.simulate.patches.attention import takes_flash

    dtype = str(changes.pop("dtype", "float16"))
    key = of(changes.pop("key", query), dtype)  # type: ignore[arg-type]
    rest = {"mask": None, "dropout": 0.0, "causal": False, "grouped": False, "recording": True, **changes}
    return takes_flash(of(query, dtype), key, key, card=Card(capability), **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "changes", "taken"),
    [
        ((2, 8, 64, 64), {}, True),
        ((2, 8, 64, 64), {"capability": HOPPER, "dtype": "bfloat16"}, True),
        ((2, 8, 64, 64), {"capability": TURING}, False),
        ((2, 8, 64, 64), {"dtype": "float32"}, False),
        ((2, 8, 64, 64), {"mask": object()}, False),
        ((2, 8, 64, 264), {}, False),
        ((2, 8, 64, 200), {}, True),
        ((2, 8, 64, 200), {"capability": GAMING}, False),
        ((2, 8, 64, 200), {"capability": GAMING, "recording": False}, True),
        ((2, 8, 64, 256), {"capability": GAMING}, True),
        ((2, 8, 64, 256), {"capability": GAMING, "dropout": 0.1}, False),
        ((2, 8, 64, 64), {"key": (2, 8, 96, 64)}, True),
        ((2, 8, 64, 64), {"key": (2, 8, 96, 64), "causal": True}, False),
        ((2, 8, 64, 64), {"key": (2, 2, 64, 64)}, False),
        ((2, 8, 64, 64), {"key": (2, 2, 64, 64), "grouped": True}, True),
        ((2, 8, 64, 64), {"key": (1, 8, 64, 64)}, False),
        ((2, 8, 0, 64), {}, False),
        ((8, 64, 64), {}, False),
    ],
)
def test_flash_takes(query: tuple[int, ...], changes: dict[str, object], taken: bool) -> None:
    assert flash(query, **changes) is taken  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shape", "dtype", "capability", "taken"),
    [
        ((2, 8, 64, 64), "float32", AMPERE, True),
        ((2, 8, 64, 64), "float64", AMPERE, False),
        ((2, 8, 64, 64), "bfloat16", TURING, False),
        ((2, 8, 64, 64), "float16", TURING, True),
        ((2, 8, 64, 30), "float32", AMPERE, False),
        ((2, 8, 64, 28), "float32", AMPERE, True),
        ((2, 8, 64, 28), "float16", AMPERE, False),
        ((2, 8, 64, 28), "float16", VOLTA, False),
        ((2, 8, 64, 30), "float32", VOLTA, True),
    ],
)
def test_the_memory_efficient_kernel_takes(
    shape: tuple[int, ...], dtype: str, capability: tuple[int, int], taken: bool
) -> None:
    from memlint.runtime.simulate.patches.attention import takes_efficient

    tensor = of(shape, dtype)
    assert takes_efficient(tensor, tensor, tensor, None, Card(capability)) is taken


def test_only_wide_heads_ask_for_the_exact_card() -> None:
    from memlint.runtime.simulate.patches.attention import takes_flash

    card = Card(AMPERE)
    for width in (64, 128, 192):
        tensor = of((2, 8, 64, width))
        assert takes_flash(tensor, tensor, tensor, None, 0.0, False, False, True, card)
    assert card.exact == 0


def test_a_mask_whose_last_dimension_has_gaps_is_for_the_plain_kernel() -> None:
    from memlint.runtime.simulate.patches.attention import takes_efficient

    tensor, mask = of((2, 8, 64, 64)), of((1, 1, 64, 64))
    assert takes_efficient(tensor, tensor, tensor, mask, Card(AMPERE))
    assert not takes_efficient(tensor, tensor, tensor, mask.transpose(-1, -2), Card(AMPERE))


BIASED = """
import torch
import torch.nn.functional as F
torch.ones(8, 8, device="cuda") @ torch.ones(8, 8, device="cuda")  # the workspace of cuBLAS
query, key, value = (torch.randn(2, 4, 256, 64, device="cuda", requires_grad=True) for _ in range(3))
bias = torch.randn(256, 256, device="cuda"){turned}
with torch.autocast("cuda", dtype=torch.bfloat16):
    out = F.scaled_dot_product_attention(query, key, value, bias)
assert out.dtype is torch.bfloat16
raise ValueError(torch.cuda.memory_allocated())
"""


def kept(folder: Path, turned: str) -> int:
    """Bytes that are allocated after the forward pass."""
    arm = simulated(folder, BIASED.format(turned=turned))
    assert arm.failure is not None
    assert arm.failure.type == "ValueError", arm.failure
    return int(arm.failure.message)


def test_within_autocast_the_plain_kernel_works_in_float32(tmp_path: Path) -> None:
    # It keeps the probabilities, 2 x 4 x 256 x 256 numbers, and some of its inputs again, in float32.
    more = kept(tmp_path / "plain", ".t()") - kept(tmp_path / "fused", "")
    probabilities, inputs = 4 * 2 * 4 * 256 * 256, 3 * 4 * 2 * 4 * 256 * 64
    assert probabilities < more <= probabilities + inputs


ENABLED = """
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attend

FLASH, EFFICIENT, MATH = SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH
half = torch.zeros(1, 4, 512, 64, device="cuda", dtype=torch.float16, requires_grad=True)
single, mask = half.float(), torch.ones(512, 512, dtype=torch.bool, device="cuda")

def chosen(x, *kernels, mask=None, **order):
    with sdpa_kernel(list(kernels), **order):
        try:
            out = attend(x, x, x, attn_mask=mask)
        except RuntimeError as error:
            return str(error)
    name = type(out.grad_fn).__name__
    return next((kind for kind in ("Flash", "Efficient") if kind in name), "plain")

nothing = "No available kernel. Aborting execution."
assert chosen(half, FLASH) == "Flash" and chosen(half, EFFICIENT) == "Efficient"
assert chosen(half, MATH) == "plain"
assert chosen(single, FLASH) == chosen(half, FLASH, mask=mask) == nothing
assert chosen(single.double(), FLASH, EFFICIENT) == nothing
assert chosen(single, SDPBackend.CUDNN_ATTENTION) == nothing
assert chosen(single, FLASH, MATH) == "plain" and chosen(single, FLASH, EFFICIENT) == "Efficient"
assert chosen(half, MATH, FLASH) == "Flash"
if hasattr(torch._C, "_set_sdp_priority_order"):
    assert chosen(half, MATH, FLASH, set_priority=True) == "plain"
    assert chosen(half, EFFICIENT, FLASH, set_priority=True) == "Efficient"
    assert chosen(half, EFFICIENT, FLASH) == "Flash"
"""


def test_kernels_are_asked_in_the_order_that_was_set_and_none_is_an_error(tmp_path: Path) -> None:
    assert simulated(tmp_path, ENABLED).failure is None
