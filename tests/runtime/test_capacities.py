"""What a run would have done with other sizes of memory, told by one run of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.runtime.cards import Device, card_of
from memlint.runtime.parent.fit.need import devices_of, on_card, terms
from memlint.runtime.simulate.memory.allocator import Allocator, Trace
from memlint.runtime.simulate.memory.capacities import Tried, tried
from memlint.session import Capacity
from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import line_of

pytestmark = pytest.mark.usefixtures("torch_once")


def traced() -> Allocator:
    """40 MiB in use at most; 70 MiB reserved, of which 30 were cached when the last 40 were asked for."""
    allocator = Allocator()
    allocator.trace = Trace()
    first = allocator.malloc(30 * MIB, 1)
    allocator.release(first)
    kept = allocator.malloc(40 * MIB, 2)
    allocator.settle()
    assert (allocator.allocated.peak, allocator.reserved.peak) == (40 * MIB, 70 * MIB)
    allocator.release(kept)
    return allocator


def test_with_less_memory_cached_blocks_are_given_back() -> None:
    rows, least = tried(traced(), [], [(size * MIB, 0, 132) for size in (0, 80, 50, 39, 20)])
    assert rows == [
        Tried(0, 0, 70 * MIB, 0),
        Tried(80 * MIB, 0, 70 * MIB, 0),
        Tried(50 * MIB, 0, 40 * MIB, 1),
        Tried(39 * MIB, 0, 30 * MIB, 1, asked=40 * MIB, allocated=0, purpose=2),
        Tried(20 * MIB, 0, 0, 1, asked=30 * MIB, allocated=0, purpose=1),
    ]
    assert 40 * MIB <= least <= 42 * MIB


def test_the_workspaces_of_another_device_are_its_own() -> None:
    (row,), _ = tried(traced(), [1], [(0, 10 * MIB, 132)])
    assert row == Tried(0, 10 * MIB, 50 * MIB, 0)


def test_a_cache_that_the_script_empties_is_emptied_again() -> None:
    allocator = Allocator()
    allocator.trace = Trace()
    for size in (30, 40, 50):
        allocator.release(allocator.malloc(size * MIB))
        allocator.empty_cache()
    assert allocator.reserved.peak == 50 * MIB
    other = Allocator(50 * MIB)
    assert allocator.trace.play(other) == -1
    assert (other.reserved.peak, other.retries) == (50 * MIB, 0)


def test_what_kernels_work_in_is_as_large_as_on_the_other_device() -> None:
    allocator = Allocator()
    allocator.trace = Trace()
    kept = allocator.malloc(30 * MIB, 1)
    for size, other in ((10, 40), (0, 50), (20, 0)):
        allocator.release(allocator.malloc(size * MIB, 2, spare=True, elsewhere={24: other * MIB}))
    allocator.release(allocator.malloc(0, 3, elsewhere={24: 0}))
    allocator.release(kept)
    allocator.settle()
    assert (allocator.allocated.peak, allocator.reserved.peak) == (50 * MIB, 60 * MIB)
    assert len(allocator.trace.purposes) == 4
    # 40 and then 50 MiB in segments of their own, none of which holds the 20 that are not asked for there.
    rows, _ = tried(allocator, [], [(0, 0, 132), (0, 0, 24), (100 * MIB, 0, 24), (20 * MIB, 0, 24)])
    assert [row.reserved for row in rows] == [60 * MIB, 120 * MIB, 80 * MIB, 0]
    assert [row.retries for row in rows] == [0, 0, 1, 1]


def test_the_least_memory_does_without_what_can_be_done_without() -> None:
    """As where cuDNN takes an algorithm that works in less."""
    allocator = Allocator()
    allocator.trace = Trace()
    kept = allocator.malloc(40 * MIB, 1)
    allocator.release(allocator.malloc(60 * MIB, 2, spare=True))
    allocator.release(kept)
    allocator.settle()
    assert allocator.allocated.peak == 100 * MIB
    _, least = tried(allocator, [], [])
    assert 40 * MIB <= least <= 42 * MIB


def devices(*sizes: int) -> tuple[Device, ...]:
    """Capacities in MiB, of the card that is simulated."""
    return tuple((size * MIB, (9, 0), 132) for size in sizes)


STEPS = """
import torch
weight = torch.nn.Parameter(torch.zeros(4 << 20, device="cuda"))
state = []
for step in range(3):
    loss = (weight * 2).exp().sum()
    loss.backward()
    state.append(torch.empty(8 << 20, device="cuda"))
"""


@needs_simulation
def test_one_run_says_where_smaller_devices_would_have_ended_it(tmp_path: Path) -> None:
    arm = simulated(tmp_path, STEPS, capacities=devices(1 << 20, 90, 40, 8))
    assert arm.failure is None
    assert arm.simulation is not None
    plenty, little, less, least = arm.simulation.capacities
    assert (plenty.asked, plenty.reserved) == (0, arm.cuda["reserved_peak"])
    text = STEPS.lstrip()
    where = [row.exhausted for row in (little, less, least)]
    assert all(where)
    assert [(row.line, row.forward_line, row.phase, row.step) for row in where if row] == [
        (line_of(text, "loss ="), 0, "other", 2),
        (line_of(text, "loss ="), 0, "setup", 1),
        (line_of(text, "weight ="), 0, "setup", 1),
    ]
    assert [row.asked for row in (little, less, least)] == [16 * MIB, 16 * MIB, 16 * MIB]
    # Weights, gradients, state, a product with 2, and the block of the loss before.
    assert little.allocated == (2 * 16 + 32 + 16) * MIB + 512
    # At most weights, gradients, and 96 MiB; small tensors need a segment of 2 MiB, where the search stops.
    assert arm.cuda["allocated_peak"] == 128 * MIB + 1024
    assert 130 * MIB <= arm.simulation.least <= 132 * MIB < arm.cuda["reserved_peak"] == 162 * MIB
    assert arm.simulation.asked == ()


@needs_simulation
def test_what_a_script_asks_about_the_card_is_known(tmp_path: Path) -> None:
    text = """
import torch
torch.zeros(1, device='cuda')
print(torch.cuda.mem_get_info(), torch.cuda.get_device_properties(0).major)
print(torch.cuda.get_device_properties(0).multi_processor_count)
print(torch.cuda.is_bf16_supported(including_emulation=False), torch.cuda.is_tf32_supported())
"""
    arm = simulated(tmp_path, text, capacities=devices(1 << 10))
    assert arm.simulation is not None
    assert arm.simulation.asked == ("size", "capability", "multiprocessors", "at least 8.0")


CONVOLUTIONS = """
import torch
torch.backends.cudnn.benchmark = True
x = torch.zeros(8, 3, 64, 64, device="cuda")
net = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.Conv2d(16, 4, 3, stride=2)).cuda()
net(x).sum().backward()
torch.backends.cudnn.benchmark = False
torch.nn.Conv2d(3, 64, 1).cuda()(x)
"""


@needs_simulation
def test_what_a_search_for_algorithms_may_take_is_in_the_band(tmp_path: Path) -> None:
    arm = simulated(tmp_path, CONVOLUTIONS)
    assert arm.simulation is not None
    most = 4 * (8 * 64 * 64 * (3 + 16) + 16 * 3 * 3 * 3)
    assert arm.simulation.convolutions == most
    card = card_of("2GiB")
    room = card.total - card.context_most - most
    for reserved, verdict in ((room, "fits"), (room + MIB, "may not fit")):
        rows = [Capacity(size, 0, reserved, 0) for size in (0, room + most, card.total)]
        found = on_card(arm, card, rows)
        assert (found.verdict, found.most) == (verdict, reserved + card.context_most + most)
    assert next(term for term in terms(arm, card) if term.name == "cuDNN").most == most


IMAGES = """
import torch
net = torch.nn.Sequential(torch.nn.Conv2d(64, 256, 3), torch.nn.Conv2d(256, 256, 3)).cuda()
net(torch.zeros(32, 64, 28, 28, device="cuda", dtype=net[0].weight.dtype)).sum().backward()
"""


DROPPED = """
import torch
# Of a segment of 20 MiB, 6 are left: enough for the states of random numbers on small cards.
held = [torch.empty(7 << 20, dtype=torch.uint8, device="cuda") for _ in range(2)]
net = torch.nn.LSTM(16, 16, 2, dropout=0.5).cuda()
with torch.no_grad():
    net(torch.zeros(8, 4, 16, device="cuda"))
"""


@needs_simulation
@pytest.mark.parametrize("text", [IMAGES, DROPPED])
def test_cards_with_other_multiprocessors_need_no_simulation_of_their_own(tmp_path: Path, text: str) -> None:
    cards = [card_of(name) for name in ("L4", "RTX-4060", "L40S")]
    first, *others = (
        simulated(tmp_path / card.name, text, card=card, capacities=devices_of(cards)) for card in cards
    )
    assert first.failure is None
    assert first.simulation is not None
    assert not {"multiprocessors", "capability"} & set(first.simulation.asked)
    without_end = [row.reserved for row in first.simulation.capacities[::3]]
    assert without_end == [arm.cuda["reserved_peak"] for arm in (first, *others)]
    assert len(set(without_end)) > 1
