"""The model of torch's caching allocator, against sizes worked out by hand from torch's rules."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from memlint.runtime.simulate.memory.allocator import Allocator, OutOfDeviceMemoryError
from memlint.runtime.simulate.memory.blocks import Block, rounded, segment_size
from memlint.runtime.simulate.memory.settings import Settings, from_environment, parse

KIB, MIB = 1 << 10, 1 << 20


def numbers(model: Allocator) -> tuple[int, int]:
    model.settle()
    return model.allocated.now, model.reserved.now


@pytest.mark.parametrize(
    ("requested", "block", "segment"),
    [
        (1, 512, 2 * MIB),
        (512, 512, 2 * MIB),
        (513, 1024, 2 * MIB),
        (MIB, MIB, 2 * MIB),
        (MIB + 1, MIB + 512, 20 * MIB),
        (10 * MIB - 512, 10 * MIB - 512, 20 * MIB),
        (10 * MIB, 10 * MIB, 10 * MIB),
        (10 * MIB + 1, 10 * MIB + 512, 12 * MIB),
    ],
)
def test_one_request_takes_its_block_from_a_segment_of_its_class(
    requested: int, block: int, segment: int
) -> None:
    model = Allocator()
    model.malloc(requested)
    assert rounded(requested) == block
    # What is left of a large segment is cut off only if it is more than a mebibyte.
    held = block if requested <= MIB or segment - block > MIB else segment
    assert numbers(model) == (held, segment)


def test_borders_are_asked_of_the_rounded_size() -> None:
    assert segment_size(rounded(10 * MIB - 1)) == 10 * MIB
    model = Allocator()
    model.malloc(10 * MIB - 1)
    assert numbers(model) == (10 * MIB, 10 * MIB)


def test_nothing_is_allocated_for_nothing() -> None:
    model = Allocator()
    assert model.malloc(0) is None
    assert numbers(model) == (0, 0)


def test_small_blocks_share_a_segment_and_a_large_one_never_lies_there() -> None:
    model = Allocator()
    for _ in range(4096):
        model.malloc(512)
    assert numbers(model) == (2 * MIB, 2 * MIB)
    model.malloc(1)
    assert numbers(model) == (2 * MIB + 512, 4 * MIB)
    model.malloc(MIB + 1)
    assert model.reserved.now == 24 * MIB


def test_a_small_rest_of_a_large_block_is_kept_with_it() -> None:
    model = Allocator()
    first = model.malloc(12 * MIB)
    model.release(first)
    model.malloc(11 * MIB)
    assert numbers(model) == (12 * MIB, 12 * MIB)
    assert model.requested.now == 11 * MIB


def test_neighbours_become_one_block_again_and_the_best_fit_is_taken() -> None:
    model = Allocator()
    blocks = [model.malloc(4 * MIB) for _ in range(5)]
    assert numbers(model) == (20 * MIB, 20 * MIB)
    for number in (1, 3, 2):
        model.release(blocks[number])
    model.malloc(12 * MIB)
    assert numbers(model) == (20 * MIB, 20 * MIB)
    other = model.malloc(9 * MIB)
    assert model.reserved.now == 40 * MIB
    first = blocks[0]
    assert isinstance(first, Block)
    place = first.address
    model.release(first)
    model.settle()
    third = model.malloc(4 * MIB)
    assert isinstance(third, Block)
    assert isinstance(other, Block)
    assert third.address == place


def test_empty_cache_gives_back_whole_segments_only() -> None:
    model = Allocator()
    kept, dropped, whole = model.malloc(MIB), model.malloc(512), model.malloc(30 * MIB)
    model.release(dropped)
    model.release(whole)
    model.empty_cache()
    assert numbers(model) == (MIB, 2 * MIB)
    assert model.inactive_split.now == MIB
    model.release(kept)
    model.empty_cache()
    assert numbers(model) == (0, 0)
    assert (model.allocated.peak, model.reserved.peak) == (31 * MIB + 512, 32 * MIB)
    model.reset_peaks()
    assert model.reserved.peak == 0


def test_a_full_device_gives_its_cache_back_before_it_fails() -> None:
    model = Allocator(32 * MIB)
    model.release(model.malloc(30 * MIB))
    model.malloc(31 * MIB)
    assert (model.retries, model.out_of_memory, model.reserved.now) == (1, 0, 32 * MIB)
    with pytest.raises(OutOfDeviceMemoryError, match="CUDA out of memory"):
        model.malloc(1)
    assert (model.retries, model.out_of_memory) == (2, 1)


def test_a_block_released_within_a_request_is_freed_before_the_next() -> None:
    model = Allocator()
    block = model.malloc(MIB)
    model.on_segment = lambda size: model.release(block)
    model.malloc(30 * MIB)
    model.on_segment = lambda size: None
    assert numbers(model) == (30 * MIB, 32 * MIB)


def test_blocks_never_overlap_and_add_up_to_their_segments() -> None:
    draw = random.Random(7)
    model = Allocator()
    held: list[Block] = []
    for _ in range(4000):
        if held and draw.random() < 0.48:
            model.release(held.pop(draw.randrange(len(held))))
        else:
            block = model.malloc(
                draw.choice((1, 700, 5 * KIB, MIB, 3 * MIB, 17 * MIB)) + draw.randrange(9000)
            )
            assert block is not None
            held.append(block)
    model.settle()
    free = [block for pool in model._pools.values() for block in pool.blocks.values()]
    spans = sorted((block.address, block.address + block.size) for block in [*held, *free])
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert sum(block.size for block in held) == model.allocated.now
    assert sum(end - start for start, end in spans) == model.reserved.now
    assert sum(block.size for block in free if block.split) == model.inactive_split.now
    for block in held:
        model.release(block)
    model.empty_cache()
    assert numbers(model) == (0, 0)
    assert model.inactive_split.now == model.segments.now == 0


# --- settings of the environment -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Settings()),
        ("expandable_segments:True", Settings(expandable=True)),
        ("expandable_segments:False, max_split_size_mb:128", Settings(max_split=128 * MIB)),
        ("garbage_collection_threshold:0.8", Settings(threshold=0.8)),
        ("roundup_power2_divisions:4", Settings(divisions=(4,) * 16)),
        (
            "roundup_power2_divisions:[4:2,16:8,>:1]",
            Settings(divisions=(2, 2, 2, 0, *(1,) * 12)),
        ),
        ("pinned_num_register_threads:8", Settings()),
        ("backend:cudaMallocAsync", Settings(unknown=("backend:cudaMallocAsync",))),
        ("max_split_size_mb: 20,", Settings(max_split=20 * MIB)),
        ("roundup_power2_divisions:0", Settings()),
        ("foo:1", Settings(unknown=("foo:1",))),
        ("pinned_max_cached_size_mb:64,throw_on_cudamalloc_oom:True", Settings()),
        ("per_process_memory_fraction:0.5", Settings(fraction=0.5)),
        ("large_segment_size_mb:32,max_split_size_mb:+40MB", Settings(large=32 * MIB, max_split=40 * MIB)),
        ("max_non_split_rounding_mb:-1", Settings(rounding=(1 << 64) - MIB)),
        ("max_split_size_mb:18446744073709551615", Settings(max_split=(1 << 64) - MIB)),
    ],
)
def test_settings_are_read_as_torch_reads_them(text: str, expected: Settings) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("text", [
    "max_split_size_mb:many", "max_split_size_mb:10", "max_split_size_mb=32", "max_non_split_rounding_mb:10",
    "roundup_power2_divisions:3", "roundup_power2_divisions:[256:1,>:3]", "expandable_segments:true",
    "garbage_collection_threshold:1.5", "garbage_collection_threshold:0", "garbage_collection_threshold:1.0",
    "backend:foo", "expandable_segments", "max_non_split_rounding_mb:99999999999999999999",
    "large_segment_size_mb:10", "large_segment_size_mb:40,max_split_size_mb:30",
    "per_process_memory_fraction:1.5", "pinned_use_background_threads:yes", "max_split_size_mb:0x40",
])  # fmt: skip
def test_what_torch_refuses_is_refused(text: str) -> None:
    wrong = f"torch refuses {text.split(',', 1)[-1] if '[' not in text else text} in its allocator's settings"
    assert parse(f"pinned_use_background_threads:True,{text}").refused.startswith("torch refuses ")
    assert parse(text) == Settings(refused=wrong)


def test_sizes_are_rounded_to_parts_of_powers_of_two() -> None:
    assert [rounded(size * MIB, 4) for size in (1024, 1200, 1300, 1537)] == [
        size * MIB for size in (1024, 1280, 1536, 1792)
    ]
    assert rounded(2048, 4) == 2048
    model = Allocator(settings=parse("roundup_power2_divisions:8"))
    model.malloc(1100 * MIB)
    assert model.allocated.now == 1152 * MIB


def test_a_block_above_the_largest_that_may_be_split_is_not_cut_for_less() -> None:
    model = Allocator(settings=parse("max_split_size_mb:100"))
    model.release(model.malloc(200 * MIB))
    model.malloc(50 * MIB)
    assert numbers(model) == (50 * MIB, 250 * MIB)
    model.malloc(190 * MIB)
    assert numbers(model) == (250 * MIB, 250 * MIB)  # up to 20 MiB too much are handed out whole


def test_unused_segments_are_collected_above_the_threshold_before_more_is_asked_for() -> None:
    model = Allocator(1000 * MIB, parse("garbage_collection_threshold:0.5"))
    model.release(model.malloc(600 * MIB))
    model.malloc(700 * MIB)
    assert numbers(model) == (700 * MIB, 700 * MIB)
    assert model.retries == 0


def test_a_growing_segment_takes_as_many_pages_as_are_needed_and_gives_back_whole_ones() -> None:
    model = Allocator(settings=parse("expandable_segments:True"))
    first, second = model.malloc(30 * MIB), model.malloc(15 * MIB)
    assert numbers(model) == (45 * MIB, 60 * MIB)
    model.release(first)
    third = model.malloc(40 * MIB)
    assert numbers(model) == (55 * MIB, 100 * MIB)
    assert model.inactive_split.peak == 0
    model.release(third)
    model.empty_cache()
    # Of the first 30 MiB one page is empty; what holds the second block reaches from 30 to 45 MiB.
    assert numbers(model) == (15 * MIB, 40 * MIB)
    model.release(second)
    model.empty_cache()
    assert numbers(model) == (0, 0)
    model.malloc(100 * MIB)
    assert numbers(model) == (100 * MIB, 100 * MIB)


def test_fragments_that_end_a_run_with_fixed_segments_fit_where_they_grow() -> None:
    def run(text: str) -> Allocator:
        model = Allocator(200 * MIB, parse(text))
        blocks = [model.malloc(60 * MIB) for _ in range(3)]
        for block in blocks[:2]:
            model.release(block)
        model.malloc(30 * MIB)
        model.malloc(100 * MIB)
        return model

    with pytest.raises(OutOfDeviceMemoryError):
        run("")
    assert run("expandable_segments:True").allocated.now == 190 * MIB


def test_random_traffic_on_growing_segments_stays_consistent() -> None:
    model, held, chance = Allocator(settings=parse("expandable_segments:True")), [], random.Random(7)
    for _ in range(3000):
        if held and chance.random() < 0.5:
            model.release(held.pop(chance.randrange(len(held))))
        else:
            size = chance.choice((700, 90_000, 3 * MIB, 33 * MIB)) + chance.randrange(5000)
            held.append(model.malloc(size))
        if chance.random() < 0.02:
            model.empty_cache()
        model.settle()
        assert model.allocated.now == sum(block.size for block in held if block) <= model.reserved.now
    for block in held:
        model.release(block)
    model.empty_cache()
    assert numbers(model) == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "max_split_size_mb:20",
        "max_split_size_mb:-1",
        "garbage_collection_threshold:.5",
        "garbage_collection_threshold:8e-1,",
        "roundup_power2_divisions:[256:1,512:2]",
        "expandable_segments:True,something_new:7",
    ],
)
def test_what_torch_takes_is_taken(text: str) -> None:
    """As torch._C._accelerator_setAllocatorSettings of torch 2.13 does."""
    assert not parse(text).refused
    assert parse(text).max_split in (0, 20 << 20, (1 << 64) - MIB)


@pytest.mark.parametrize(("environment", "text"), [
    ({"PYTORCH_ALLOC_CONF": "max_split_size_mb:100"}, "max_split_size_mb:100"),
    ({"PYTORCH_ALLOC_CONF": "max_split_size_mb:100", "PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:200"},
     "max_split_size_mb:200"),
    ({"PYTORCH_ALLOC_CONF": "max_split_size_mb:100", "PYTORCH_CUDA_ALLOC_CONF": ""}, ""),
])  # fmt: skip
def test_the_older_variable_has_the_say(environment: dict[str, str], text: str) -> None:
    """As torch._C._accelerator_getAllocatorSettings of torch 2.13 says."""
    assert from_environment(environment) == parse(text)


def test_a_sum_beyond_64_bits_begins_at_zero_again_as_in_torch() -> None:
    """`size + max_non_split_rounding_size()` of get_free_block: with -1, no large block is used again."""
    model = Allocator(settings=parse("max_split_size_mb:100,max_non_split_rounding_mb:-1"))
    model.release(model.malloc(200 * MIB))
    model.malloc(200 * MIB)
    assert numbers(model) == (200 * MIB, 400 * MIB)
    model = Allocator(settings=parse("max_split_size_mb:100,max_non_split_rounding_mb:1000"))
    model.release(model.malloc(200 * MIB))
    model.malloc(150 * MIB)
    assert numbers(model) == (200 * MIB, 200 * MIB)


@pytest.mark.parametrize("more", ["", ",expandable_segments:True"])
def test_segments_of_the_large_pool_are_as_large_as_the_settings_say(more: str) -> None:
    model = Allocator(settings=parse(f"large_segment_size_mb:64{more}"))
    model.malloc(2 * MIB)
    assert numbers(model) == (2 * MIB, 64 * MIB)
