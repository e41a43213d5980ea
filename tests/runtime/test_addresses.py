"""Where segments lie: as the driver of an H200 put them, in MiB above the lowest one."""

from __future__ import annotations

from memlint.runtime.simulate.memory.addresses import Addresses
from memlint.runtime.simulate.memory.allocator import Allocator, Trace

MIB = 1 << 20


def placed(addresses: Addresses, *sizes: int) -> list[int]:
    return [addresses.take(size * MIB) // MIB for size in sizes]


def test_segments_go_down_and_fill_what_is_left() -> None:
    """convnext_tiny, from its 23rd segment on."""
    sizes = (74, 20, 38, 38, 38, 74, 74, 20, 38, 38, 2, 74, 74, 20, 38)
    seen = [3136, 3210, 3072, 3008, 2944, 2848, 2752, 2826, 2688, 2624, 2662, 2528, 2432, 2506, 2368]
    found = placed(Addresses(), *sizes)
    assert [address - found[0] for address in found] == [address - seen[0] for address in seen]


def test_segments_go_beneath_the_first_one_once_libraries_are_loaded() -> None:
    """A DCGAN, from its third segment on."""
    addresses = Addresses()
    first = placed(addresses, 20)[0]
    addresses.load()
    assert placed(addresses, 12) == [first + 20]
    found = placed(addresses, 32, 28, 32, 50, 32, 34, 28, 32, 36, 50)
    assert [address - found[0] for address in found] == [0, 32, 60, 92, 142, 174, 208, 236, 268, 304]
    assert placed(addresses, 62) == [first - 64]


def test_a_place_is_free_again() -> None:
    addresses = Addresses()
    places = placed(addresses, 20, 12, 32)
    for place, size in zip(places, (20, 12, 32), strict=True):
        addresses.put(place * MIB, size * MIB)
    assert placed(addresses, 64) == [places[2]]


def test_of_blocks_of_one_size_the_lowest_is_taken() -> None:
    """That in the youngest segment, and again where a trace is played."""
    made = Allocator()
    made.trace = Trace()
    old, young = made.malloc(32 * MIB), made.malloc(32 * MIB)
    made.load()
    beneath = made.malloc(64 * MIB)
    assert old
    assert young
    assert beneath
    assert young.address < old.address < beneath.address
    for block in (old, young, beneath):
        made.release(block)
    again = made.malloc(30 * MIB)
    assert again
    assert again.address == young.address
    other = Allocator()
    assert made.trace.play(other) < 0
    assert other.state() == made.state()
