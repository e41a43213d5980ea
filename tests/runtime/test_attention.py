"""Which kernel of attention torch would choose, by the rules of its sdp_utils.cpp."""

from __future__ import annotations

import pytest

from tests.runtime.simulated import needs_simulation

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
    assert takes_efficient(tensor, tensor, tensor, Card(capability)) is taken


def test_only_wide_heads_ask_for_the_exact_card() -> None:
    from memlint.runtime.simulate.patches.attention import takes_flash

    card = Card(AMPERE)
    for width in (64, 128, 192):
        tensor = of((2, 8, 64, width))
        assert takes_flash(tensor, tensor, tensor, None, 0.0, False, False, True, card)
    assert card.exact == 0
