"""torch.cuda as it looks with the simulated GPU: one device, whose memory the allocator's model counts."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from memlint.runtime.cards import Card
from memlint.runtime.simulate import private
from memlint.runtime.simulate.group.place import PLACE
from memlint.runtime.simulate.memory.allocator import Allocator
from memlint.runtime.simulate.memory.blocks import Counter
from memlint.runtime.simulate.memory.settings import parse
from memlint.runtime.simulate.patches import graphs
from memlint.runtime.simulate.questions import QUESTIONS
from memlint.units import size as in_words

Note = Callable[[str], None]

_NOTHING = (
    "init synchronize manual_seed manual_seed_all seed seed_all ipc_collect set_rng_state "
    "set_rng_state_all set_sync_debug_mode check_error reset_peak_host_memory_stats "
    "reset_accumulated_host_memory_stats"
).split()
POOLED = 32
"""Streams that a device has beside its default one: more are the same again (c10/cuda/CUDAStream.cpp)."""

_RECORDED = "record_stream(): blocks count as free at once, not when the work of other streams is done"


def install(allocator: Allocator, card: Card, note: Note) -> None:
    """Replace the functions of torch.cuda that ask the driver or the allocator."""
    QUESTIONS.card = card
    private.say_built_with_cuda()
    _device(card)
    _memory(allocator, card, note)
    _streams(allocator, note)
    graphs.install(allocator, note)
    _random()
    # DataParallel on one device: the batch goes there as a whole. The probe reads the peaks before they are
    # forgotten.
    private.answer_as_gpu(
        lambda tensor, *args: [tensor.to("cuda")], lambda device: allocator.reset_peaks(), nothing
    )


def nothing(*args: Any, **kwargs: Any) -> None:
    """Stands for a function that matters to a real GPU only."""


def _device(card: Card) -> None:
    major, minor = card.capability
    answers: dict[str, Any] = {
        "is_available": True,
        "is_initialized": True,
        "get_device_name": card.title,
        "get_device_properties": _properties(card),
        "get_arch_list": [f"sm_{major}{minor}"],
        "can_device_access_peer": False,
        "utilization": 0,
        "memory_usage": 0,
        "temperature": 0,
        "power_draw": 0,
        "clock_rate": 0,
        "device_memory_used": 0,
        "list_gpu_processes": "no processes are running",
        "get_allocator_backend": "native",
        "get_sync_debug_mode": 0,
        "cudart": _Runtime(),
    }
    for name, value in answers.items():
        setattr(torch.cuda, name, _always(value))
    recent = functools.partial(QUESTIONS.at_least, 8)
    # Older cards emulate bfloat16, and torch counts that as support unless it is asked not to.
    torch.cuda.is_bf16_supported = lambda including_emulation=True: including_emulation or recent()
    torch.cuda.is_tf32_supported = recent
    torch.cuda.get_device_capability = lambda device=None: QUESTIONS.capability()
    for name in _NOTHING:
        setattr(torch.cuda, name, nothing)
    torch.cuda.device_count = lambda: PLACE.count
    torch.cuda.current_device = lambda: PLACE.current
    torch.cuda.set_device = _use
    torch.cuda.device = _Device  # type: ignore[assignment, misc]
    torch.cuda.device_of = _Device  # type: ignore[assignment, misc]
    torch.cuda.profiler.start = torch.cuda.profiler.stop = nothing
    for name in ("range_push", "range_pop", "mark", "range_start", "range_end"):
        setattr(torch.cuda.nvtx, name, nothing)


class _Runtime:
    """Stands for CUDA's runtime, which scripts tell where to profile: every call succeeds."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        return _always(0)


class _Properties(SimpleNamespace):
    """Those of the imagined GPU. What other cards would answer otherwise is noted as a question."""

    total_memory = property(lambda self: QUESTIONS.total())
    major = property(lambda self: QUESTIONS.capability()[0])
    minor = property(lambda self: QUESTIONS.capability()[1])
    multi_processor_count = property(lambda self: QUESTIONS.processors())


def _properties(card: Card) -> SimpleNamespace:
    """The properties of the imagined GPU, under the names that torch gives them."""
    return _Properties(
        name=card.title,
        is_integrated=False,
        is_multi_gpu_board=False,
        warp_size=32,
        max_threads_per_multi_processor=2048,
        regs_per_multiprocessor=65536,
        shared_memory_per_block=49152,
        shared_memory_per_multiprocessor=233472,
        L2_cache_size=62914560,
        gcnArchName="",
        uuid="00000000-0000-0000-0000-000000000000",
    )


def _always(value: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: value


def _use(device: Any) -> None:
    PLACE.use(device)


class _Device:
    """The context manager torch.cuda.device."""

    def __init__(self, device: Any) -> None:
        if isinstance(device, torch.Tensor):
            device = device.device if device.is_cuda else -1
        self._index = PLACE.index_of(device if device is not None else -1)

    def __enter__(self) -> None:
        self._index = PLACE.use(self._index)

    def __exit__(self, *exception: Any) -> None:
        self._index = PLACE.use(self._index)


# --- memory ---------------------------------------------------------------------------------------------


def _memory(allocator: Allocator, card: Card, note: Note) -> None:
    def fraction(value: float, device: Any = None) -> None:
        limit = int(value * QUESTIONS.total())
        allocator.limit(limit)
        note(f"this process lets torch have {in_words(limit)} of the GPU (per_process_memory_fraction)")

    def free_and_total(device: Any = None) -> tuple[int, int]:
        allocator.settle()
        return max(0, (allocator.capacity or card.usable) - allocator.reserved.now), QUESTIONS.total()

    functions: dict[str, Any] = {
        "memory_allocated": _counted(allocator, allocator.allocated, "now"),
        "max_memory_allocated": _counted(allocator, allocator.allocated, "peak"),
        "memory_reserved": _counted(allocator, allocator.reserved, "now"),
        "max_memory_reserved": _counted(allocator, allocator.reserved, "peak"),
        "memory_cached": _counted(allocator, allocator.reserved, "now"),
        "max_memory_cached": _counted(allocator, allocator.reserved, "peak"),
        "memory_stats": functools.partial(_statistics, allocator),
        "memory_stats_as_nested_dict": functools.partial(_nested, allocator),
        "memory_summary": functools.partial(_summary, allocator),
        "empty_cache": lambda: allocator.empty_cache(),
        "mem_get_info": free_and_total,
        "get_memory_info": free_and_total,
        "memory_snapshot": lambda *args, **kwargs: [],
        "_snapshot": lambda *args, **kwargs: {"segments": [], "device_traces": [[]]},
        "set_per_process_memory_fraction": fraction,
        "get_per_process_memory_fraction": lambda device=None: (
            (allocator.share or allocator.capacity or card.total) / card.total
        ),
        "reset_accumulated_memory_stats": nothing,
        "_set_allocator_settings": lambda text: allocator.configure(parse(text)),
    }
    for name in ("reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached"):
        functions[name] = lambda device=None: private.reset_peaks()
    private.replace_history(lambda name: _without(note, name))
    accelerator = getattr(torch, "accelerator", None)
    modules = (torch.cuda, torch.cuda.memory, accelerator, getattr(accelerator, "memory", None))
    for name, function in functions.items():
        for module in modules:
            if hasattr(module, name):
                setattr(module, name, function)


def _counted(allocator: Allocator, counter: Counter, field: str) -> Callable[..., int]:
    def read(device: Any = None) -> int:
        allocator.settle()
        return int(getattr(counter, field))

    return read


def _without(note: Note, name: str) -> Callable[..., None]:
    def skipped(*args: Any, **kwargs: Any) -> None:
        note(f"torch.cuda.memory.{name}: left out, the simulation keeps no such history")

    return skipped


def _nested(allocator: Allocator, device: Any = None) -> dict[str, Any]:
    allocator.settle()
    counters = {
        "allocated_bytes": allocator.allocated,
        "active_bytes": allocator.allocated,
        "requested_bytes": allocator.requested,
        "reserved_bytes": allocator.reserved,
        "inactive_split_bytes": allocator.inactive_split,
        "segment": allocator.segments,
    }
    found: dict[str, Any] = {"num_alloc_retries": allocator.retries, "num_ooms": allocator.out_of_memory}
    for name, counter in counters.items():
        row = {
            "current": counter.now,
            "peak": counter.peak,
            "allocated": counter.gained,
            "freed": counter.lost,
        }
        found[name] = {"all": row}
    return found


def _statistics(allocator: Allocator, device: Any = None) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, value in _nested(allocator).items():
        if isinstance(value, dict):
            found |= {f"{name}.all.{key}": count for key, count in value["all"].items()}
        else:
            found[name] = value
    return found


def _summary(allocator: Allocator, device: Any = None, abbreviated: bool = False) -> str:
    rows = _statistics(allocator)
    return "simulated CUDA memory\n" + "\n".join(f"{name}: {value:,}" for name, value in rows.items())


# --- streams, random numbers ----------------------------------------------------------------------------


class Stream:
    """A stream whose work is imagined at once. Only what is allocated on it is its own.

    `number` tells the streams of a device apart, 0 is its default one; `use` makes one the current one, and
    gives the one that was.
    """

    cuda_stream = 0
    number = 0
    use: Callable[[Any], Any] = nothing

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.device_index = PLACE.current
        self.device = torch.device("cuda", self.device_index)
        self._before: list[Any] = []

    def __enter__(self) -> Stream:
        self._before.append(Stream.use(self))
        return self

    def __exit__(self, *exception: Any) -> None:
        Stream.use(self._before.pop())

    def query(self) -> bool:
        """All work is done."""
        return True

    def is_capturing(self) -> bool:
        """Whether a graph is captured: of the current stream, for only one is at a time."""
        return bool(torch.cuda.is_current_stream_capturing())

    def record_event(self, event: Any = None) -> Any:
        """An event of this moment."""
        return event or Event()

    def record(self, stream: Any = None) -> None:
        """As an event: nothing to wait for."""

    synchronize = wait_event = wait_stream = wait = nothing


class Event(Stream):
    """An event that has happened; a millisecond lies between any two."""

    def elapsed_time(self, other: Any) -> float:
        """Milliseconds to another event."""
        return 1.0


def _streams(allocator: Allocator, note: Note) -> None:
    only = Stream()
    current = only
    made = itertools.count()

    def use(stream: Stream) -> Stream:
        nonlocal current
        before, current = current, stream
        allocator.use(stream.number)
        return before

    class Another(Stream):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__()
            self.number = 1 + next(made) % POOLED

    Stream.use = use
    cuda: Any = torch.cuda
    cuda.Stream = cuda.ExternalStream = cuda.streams.Stream = Another
    cuda.Event = cuda.streams.Event = Event
    cuda.default_stream = lambda device=None: only
    cuda.current_stream = lambda device=None: current
    cuda.set_stream = use
    cuda.stream = lambda stream=None: stream if stream is not None else contextlib.nullcontext()
    cuda.StreamContext = cuda.stream
    tensor: Any = torch.Tensor
    tensor.record_stream = lambda self, stream: note(_RECORDED)


def _random() -> None:
    cuda: Any = torch.cuda
    real: Any = torch.Generator
    cuda.get_rng_state = lambda device="cuda": torch.zeros(16, dtype=torch.uint8)
    cuda.get_rng_state_all = lambda: [torch.zeros(16, dtype=torch.uint8)]
    cuda.initial_seed = lambda: 0
    for module in (cuda.random,):
        for name in ("get_rng_state", "get_rng_state_all", "initial_seed", "manual_seed", "manual_seed_all",
                     "seed", "seed_all", "set_rng_state", "set_rng_state_all"):  # fmt: skip
            setattr(module, name, getattr(cuda, name))

    class Generator(real):  # type: ignore[misc]
        """A generator for CUDA is one for the CPU here: no random number is drawn on the simulated GPU."""

        def __new__(cls, device: Any = "cpu") -> Any:
            return real.__new__(real, "cpu")

    torch.Generator = Generator  # type: ignore[misc]
