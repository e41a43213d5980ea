"""The third probe: a tracker under which CUDA tensors are fake, and a model of the allocator counts them.

Tensors in host memory stay real, so that data sets, samplers and numpy work as ever. An operation with a
CUDA tensor gives tensors with shape, type and lifetime but without values; nothing is computed.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from memlint.runtime.cards import Card, Device
from memlint.runtime.child.limits.rewrite import Make
from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.private import (
    TorchDispatchMode,
    allow_subclasses,
    current_node,
    inner_tensors,
    note_saved_hooks,
    storage_key,
)
from memlint.runtime.child.probe import GiveUp
from memlint.runtime.child.tracking import operators
from memlint.runtime.child.tracking.guards import in_words, is_own
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.child.tracking.tracker import Tracker
from memlint.runtime.simulate import asserts, kernels, private, ranges, terms, workspaces
from memlint.runtime.simulate.branches import Branches
from memlint.runtime.simulate.group.groups import Groups
from memlint.runtime.simulate.group.groups import install as install_groups
from memlint.runtime.simulate.group.place import PLACE
from memlint.runtime.simulate.kernels import GEMMS, KERNELS, UnsimulatedError
from memlint.runtime.simulate.memory.allocator import Allocator, OutOfDeviceMemoryError, Trace
from memlint.runtime.simulate.memory.blocks import Block
from memlint.runtime.simulate.memory.capacities import Tried, tried
from memlint.runtime.simulate.memory.settings import from_environment
from memlint.runtime.simulate.mirrors import MIRRORS
from memlint.runtime.simulate.patches import guard
from memlint.runtime.simulate.private import NO_ANSWER, FakeTensor, FakeTensorMode, operator
from memlint.runtime.simulate.questions import QUESTIONS
from memlint.runtime.simulate.values import Values
from memlint.session import SIMULATED, Simulation

BIG_PARAMETER = 64 << 20
"""Bytes from which a parameter that torch.nn makes in host memory is imagined too."""

_is_composite = functools.cache(private.is_composite)


@functools.cache
def _consists_of_others(kind: type[Any]) -> bool:
    """Whether tensors of a class have no memory of their own, but wrap others."""
    return hasattr(kind, "__tensor_flatten__") and not issubclass(kind, FakeTensor)


_MODULES = os.path.join("torch", "nn", "modules")
_PACKAGE = str(Path(__file__).parents[2])
_DISPATCH = (str(Path(torch.__file__).parent / "_compile.py"), str(Path(torch.__file__).parent / "_dynamo"))
_OUT_OF_MEMORY: Any = torch.cuda.OutOfMemoryError

_COPY_TO = operator("_to_copy.default")
_COPY_INTO = operator("copy_.default")
_ITEM = operator("_local_scalar_dense.default")
_COLLECTIVE = frozenset(("c10d", "_c10d_functional"))
_IS_PINNED = operator("is_pinned.default")
_PIN = operator("_pin_memory.default")
_EMPTY = operator("empty.memory_format")


_MISTAKES = (AssertionError, AttributeError, KeyError, NameError)
"""What torch's operators do not raise for a script's mistakes."""


class Simulated(Tracker):
    """Follows every storage, and those on the simulated GPU through the model of its allocator."""

    def __init__(
        self,
        log: Log,
        sites: Sites,
        give_up: GiveUp,
        card: Card,
        capacity: int,
        *,
        keeps_trace: bool = False,
        turned: Collection[str] = (),
        selected: int = 100,
        exchange: str = "",
    ) -> None:
        super().__init__(log, sites)
        self.card = card
        self.allocator = Allocator(capacity)
        self.allocator.trace = Trace() if keeps_trace else None
        self.allocator.before = self._claim_late
        self.values = Values(log, sites, selected)
        self.branches = Branches(self.values, turned)
        self.fake = FakeTensorMode(allow_non_fake_inputs=True, allow_fallback_kernels=False)
        self.unsupported = ""
        self.groups: Groups | None = None
        self._steps: set[tuple[Any, ...]] = set()
        self._gained = 0
        self._exchange = exchange
        self._give_up = give_up
        self._blocks: dict[int, Block] = {}
        self._workspaces: dict[int, Block | None] = {}
        self._may_replace = False
        self._configured = False
        self._unclaimed = -1
        self._aside: Any = None
        self._operations: set[Any] = set()

    # --- the run -----------------------------------------------------------------------------------

    def install(self) -> str:
        """Make torch accept CUDA tensors for the rest of the process; the reason where it does not."""
        from memlint.runtime.simulate.patches import legacy, library, surface

        reason = guard.install(PLACE.count)
        if not reason:
            PLACE.used = guard.use
            surface.install(self.allocator, self.card, self.log.note)
            library.install(self.values, self.log.note)
            legacy.install()
            self.groups = install_groups(self.log.note, self._exchange, self.mark)
            private.note_resizes(self._resize)
            allow_subclasses()
            note_saved_hooks()
        return reason

    def rewriting(self) -> tuple[Sequence[Make], Mapping[str, Any]]:
        """Asserts that fail for an invented value are passed over; conditions that hang on one are known."""
        transformer, names = asserts.rewriting(self.values)
        other, more = self.branches.rewriting()
        return (transformer, other), {**names, **more}

    def __enter__(self) -> Simulated:
        # torch.tensor(..., device="cuda") is then made in host memory and copied, where a mode can see it.
        private.lift_on_cpu(True)
        super().__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        if not self.unsupported:  # Within an operation the mode is not on torch's stack.
            super().__exit__(*exception)
        private.lift_on_cpu(False)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation for real or as a fake, and look at the storages that it returned."""
        if types and any(map(_consists_of_others, types)):
            # Such a class (DTensor) makes operations on its parts of it, which come here again.
            return NotImplemented
        if private.asks_for_shapes():
            return func(*args, **(kwargs or {}))
        try:
            out = self._run(func, types, args, kwargs or {})
        except UnsimulatedError as error:
            self._stop(str(error))
            raise
        except _OUT_OF_MEMORY:
            self._exhausted()
            raise
        except _MISTAKES as error:
            if is_own(error):
                self._stop(in_words(error))
            raise
        try:
            self._look(func, args, out)
            if func is _COPY_TO and self.log.kinds.get(self.index_of(args[0]) or -1) == "input":
                self.mark(out, "input")
        except _OUT_OF_MEMORY:
            self._exhausted()
            raise
        except Exception as error:
            self._lose(error)
        return out

    def _stop(self, reason: str) -> None:
        site = self.sites.here(sys._getframe(1))
        if site == NO_SITE:
            site = self.backward_site
        place = self.log.sites[site] if site != NO_SITE else ("", 0)
        self.unsupported = reason
        self._give_up(reason, *place)

    # --- operations --------------------------------------------------------------------------------

    def _run(self, func: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if torch.is_inference_mode_enabled() and _is_composite(func):
            return self._taken_apart(func, args, kwargs)
        if kwargs.get("pin_memory"):
            kwargs = {**kwargs, "pin_memory": False}
        device = kwargs.get("device")
        to_cuda = device is not None and device.type == "cuda"
        if device is not None and to_cuda and device.index:
            PLACE.index_of(device)
        if not any(issubclass(kind, FakeTensor) for kind in types) and not to_cuda:
            return self._on_host(func, args, kwargs)
        if func is private.ASKED_DEVICE:
            # vmap asks in a state of the dispatcher in which nothing may be computed.
            return args[0].fake_device
        self._operations.add(func)
        if func.namespace in _COLLECTIVE and self.groups is not None:
            self.groups.collected(func, args)
        if func is _ITEM:
            return self.values.scalar(args[0])
        if func is _IS_PINNED:
            return False
        if func is _COPY_TO:
            return self._moved(func, args[0], kwargs)
        if func is _COPY_INTO and isinstance(args[0], FakeTensor) != isinstance(args[1], FakeTensor):
            return self._copied(args[0], args[1])
        if func in GEMMS:
            self._workspace()
        return self._faked(func, args, kwargs)

    def _taken_apart(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Outside inference mode, autograd has done this before a mode sees the parts."""
        TorchDispatchMode.__enter__(self)
        try:
            return func.decompose(*args, **kwargs)
        finally:
            TorchDispatchMode.__exit__(self, None, None, None)

    def _on_host(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if func is _PIN:
            return args[0].clone()
        if func is _EMPTY and _is_big_parameter(args, kwargs):
            with self.fake:
                return func(*args, **kwargs)
        return func(*args, **kwargs)

    def _moved(self, func: Any, source: Any, kwargs: dict[str, Any]) -> Any:
        device = kwargs.get("device")
        if isinstance(source, FakeTensor):
            if device is not None and device.type == "cpu" and source.device.type == "cuda":
                return self.values.on_host(source, kwargs.get("dtype") or source.dtype)
            return self._faked(func, (source,), kwargs)
        if source.layout is torch.sparse_coo:
            indices, values = (self._moved(func, p, {"device": device}) for p in inner_tensors(source))
            made = {"dtype": kwargs.get("dtype") or source.dtype, "is_coalesced": source.is_coalesced()}
            with self.fake:
                return torch.sparse_coo_tensor(indices, values, source.shape, **made)
        if source.layout is not torch.strided:
            raise UnsimulatedError(f"tensors of layout {source.layout} cannot be moved to a simulated GPU")
        # What is converted on the way is converted in host memory.
        dtype, where = kwargs.get("dtype") or source.dtype, device or kernels.CUDA
        there = kernels.empty(self.fake, source.shape, dtype, source.stride(), where)
        with self.fake:
            out = func(there, **kwargs)
        self.values.copied(out, source)
        return out

    def _copied(self, target: Any, source: Any) -> Any:
        if isinstance(target, FakeTensor):
            MIRRORS.changed(target)
            self.values.overwritten(target, source)
        elif target.numel():
            self.values.count("values copied to the host")
        return target

    def _faked(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        own = KERNELS.get(func)
        if own is None and kernels.masked_index(func, args):
            own = kernels.select_by_mask
        known = self.values.known_arguments(func, args, kwargs)
        if own is not None and known is None:
            return own(self.fake, self.values, func, args, kwargs)
        if own is not None:
            # Its shapes follow from the values, which are known here.
            return kernels.on_cpu(self.fake, self.values, func, args, kwargs)
        try:
            with self.fake:
                out = func(*args, **kwargs)
        except NO_ANSWER as error:
            return kernels.on_cpu(self.fake, self.values, func, args, kwargs, error)
        if known is not None:
            self.values.derive(func, known, args, kwargs, out)
            return out
        self.values.constant(func, args, kwargs, out)
        self.values.note(func, args, kwargs, out)
        ranges.follow(func, args, kwargs, out, self.values.keep)
        return out

    # --- memory ------------------------------------------------------------------------------------

    def _workspace(self) -> None:
        thread = threading.get_ident()
        if thread not in self._workspaces:
            self._workspaces[thread] = None
            size = workspaces.cublas(self.card.capability, torch.__version__, os.environ)
            self._workspaces[thread] = self._claim(size, len(self.log.raw))

    def _claim(self, size: int, index: int) -> Block | None:
        """A block for a storage, by the index of its birth, or for what is needed to compute it."""
        if not self.allocator.segments.gained and not self._configured:
            # Scripts set the variable before torch asks for it, which is at the first request.
            self._configured = True
            self.allocator.configure(from_environment())
        try:
            return self.allocator.malloc(size, index)
        except OutOfDeviceMemoryError as error:
            raise _OUT_OF_MEMORY(str(error)) from None

    def step_aside(self) -> bool:
        """Leave out what a node of backward does: fake tensors take the way of a mode in any case."""
        self._aside = current_node()
        return True

    def step_back(self, made: Any, passing: int) -> None:
        """Follow again, as a tracker does."""
        self._aside = None
        self._look_back(made, passing)

    def _pass(self, size: int) -> None:
        newest = len(self.log.raw) - 1
        block = self._claim(size, newest) if self.log.raw[newest][4].startswith("cuda") else None
        super()._pass(size)
        self.allocator.release(block)

    def _look(self, func: Any, args: Any, out: Any) -> None:
        if self._aside is not None:
            if current_node() is self._aside:
                return
            self._aside = None  # the node has failed
        self._may_replace = id(func) in operators.IN_PLACE
        super()._look(func, args, out)
        if self._replaced < 0:
            self._claim_late()

    def _born(self, tensor: torch.Tensor, storage: Any, key: int) -> None:
        block, index = None, len(self.log.raw)
        if isinstance(tensor, FakeTensor) and tensor.device.type == "cuda":
            if self._may_replace:
                self._unclaimed, self._replaced = index, -1
            else:
                block = self._claim(storage.nbytes(), index)
        super()._born(tensor, storage, key)
        if block is not None:
            self._blocks[index] = block

    def _claim_late(self) -> None:
        """Get the block of a result that has not taken the place of what it was computed from."""
        if self._unclaimed >= 0:
            index, self._unclaimed = self._unclaimed, -1
            try:
                block = self._claim(self._sizes.get(index, 0), index)
            except _OUT_OF_MEMORY:
                self._unclaimed = index
                raise
            if block is not None:
                self._blocks[index] = block

    def _on_death(self, ref: Any) -> None:
        heirs = len(self.log.sums)
        super()._on_death(ref)
        try:
            if ref.key not in self._live:
                MIRRORS.forget(ref.key)
            block = self._blocks.pop(ref.index, None)
            sums = len(self.log.sums) > heirs and self._unclaimed >= 0
            if sums and block and block.requested == self._sizes[self._unclaimed]:
                self._blocks[self._unclaimed], self._unclaimed = block, -1
                return
            with suppress(_OUT_OF_MEMORY):
                self._claim_late()
            self.allocator.release(block)
        except Exception as error:
            self._lose(error)

    def _lose(self, error: Exception) -> None:
        super()._lose(error)
        MIRRORS.give_up()

    def _resize(self, storage: Any) -> None:
        """A storage was given another size, as FSDP does with what it has gathered."""
        index = self._live.get(storage_key(storage))
        if index is None or storage.nbytes() == self._sizes[index]:
            return
        try:
            self._resized(index, storage.nbytes())
        except _OUT_OF_MEMORY:
            self._exhausted()
            raise

    def _resized(self, index: int, size: int) -> None:
        super()._resized(index, size)
        block = self._blocks.pop(index, None)
        if block is not None or self.log.raw[index][4].startswith("cuda"):
            self.allocator.release(block)
            new = self._claim(size, index)
            if new is not None:
                self._blocks[index] = new

    # --- the report --------------------------------------------------------------------------------

    def has_value(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor's numbers are those that the script would compute."""
        return not isinstance(tensor, FakeTensor)

    def label(self, device: str) -> str:
        """A device as the report names it."""
        return SIMULATED if device.startswith("cuda") else device

    def held(self, device: str) -> tuple[dict[str, int], str]:
        """The modelled workspaces; nothing else of the process is imagined."""
        return {"workspaces": sum(self._sizes_of_workspaces())}, ""

    def _sizes_of_workspaces(self) -> list[int]:
        return [block.requested for block in self._workspaces.values() if block is not None]

    def machine(self, device: str) -> str:
        """The imagined GPU."""
        return self.card.in_words if device.startswith("cuda") else ""

    def limit(self, error: BaseException) -> str:
        """Why the script failed for want of a real GPU, "" when it would have failed there too."""
        text = str(error)
        if "two different devices" in text or not any(mark in text for mark in terms.WITHOUT_GPU):
            return ""
        self.unsupported = f"this cannot be simulated ({_short(error)})"
        return self.unsupported

    def doubt(self, error: BaseException) -> str:
        """The invented values for which the script may have failed, "" where it was not given any."""
        before = self.values.latest(_NAMED) if _may_rest_on_values(error) else ""
        return f"it was given invented values: {before}; then {_short(error)}" if before else ""

    def simulation(self, name: Callable[[str], str]) -> Simulation:
        """What is in the numbers, what is not, and what had to be made up."""
        communicators = self.groups.communicators if self.groups is not None else 0
        return Simulation(
            gpu=self.card.in_words,
            modelled=terms.modelled(self._sizes_of_workspaces(), self.allocator.settings),
            unknown=terms.unknown(self._operations, self.allocator.settings, communicators),
            invented=self.values.invented(self.log.sites, name),
            decided=self.branches.decided(name),
            unsupported=self.unsupported,
            asked=tuple(QUESTIONS.asked),
            communicators=communicators,
            peers=tuple(sorted(self.groups.peers)) if self.groups is not None else (),
            buffers=self.groups.in_words() if self.groups is not None else (),
        )

    def repeats(self) -> bool:
        """Whether a step has ended with the same blocks as one before it, and took as many bytes in all.

        Then the steps between the two are all that there will be.
        """
        gained = self.allocator.requested.gained
        now = self.state(), gained - self._gained
        self._gained = gained
        known = now in self._steps
        self._steps.add(now)
        return known

    def state(self) -> tuple[Any, ...]:
        """What decides about the memory of the next requests, and how many tensors live."""
        return self.allocator.state(), len(self._live)

    def tried(self, devices: Iterable[Device]) -> tuple[list[Tried], int]:
        """How the run would have gone on other devices, and the least memory found that is enough."""
        asked = [(size, workspaces.cublas(kind, torch.__version__, os.environ)) for size, kind in devices]
        return tried(self.allocator, [b.number for b in self._workspaces.values() if b is not None], asked)


def _short(error: BaseException) -> str:
    first = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__}: {first[:150]}"


def _may_rest_on_values(error: BaseException) -> bool:
    """Whether a number may be the cause of a failure: raised by the script itself, or about a number."""
    if isinstance(error, _OF_NUMBERS):
        return True
    if isinstance(error, (*_OWN, _OUT_OF_MEMORY)):
        return False
    *_, (last, _) = traceback.walk_tb(error.__traceback__)
    return not last.f_code.co_filename.startswith(_TORCH)


_NAMED = 3
"""Invented values that are named where one of them may have made the script fail."""

_OF_NUMBERS = (ArithmeticError, AssertionError, LookupError, SystemExit, ValueError)
_OWN = (
    AttributeError, ImportError, KeyboardInterrupt, MemoryError, NameError, OSError, SyntaxError, TypeError
)  # fmt: skip
_TORCH = os.path.join(os.path.dirname(torch.__file__), "")


def _is_big_parameter(args: Any, kwargs: dict[str, Any]) -> bool:
    dtype = kwargs.get("dtype") or torch.get_default_dtype()
    size = dtype.itemsize
    for extent in args[0]:
        size *= extent
    if size < BIG_PARAMETER:
        return False
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((_PACKAGE, *_DISPATCH)):
        frame = frame.f_back
    return frame is not None and _MODULES in frame.f_code.co_filename
