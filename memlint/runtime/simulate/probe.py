"""The third probe: a tracker under which CUDA tensors are fake, and a model of the allocator counts them.

Tensors in host memory stay real, so that data sets, samplers and numpy work as ever. An operation with a
CUDA tensor gives tensors with shape, type and lifetime but without values; nothing is computed.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import torch

from memlint.runtime.cards import Card, Device
from memlint.runtime.child.limits.rewrite import Make
from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.private import (
    allow_subclasses,
    current_node,
    is_higher_order,
    note_saved_hooks,
    storage_key,
)
from memlint.runtime.child.probe import GiveUp
from memlint.runtime.child.tracking import operators
from memlint.runtime.child.tracking.guards import in_words, is_own
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.child.tracking.tracker import Tracker
from memlint.runtime.simulate import asserts, private, terms
from memlint.runtime.simulate.branches import Branches
from memlint.runtime.simulate.doubts import NAMED, in_short, may_rest_on_values
from memlint.runtime.simulate.group.groups import install as install_groups
from memlint.runtime.simulate.group.place import PLACE
from memlint.runtime.simulate.kernels import UnsimulatedError
from memlint.runtime.simulate.memory.allocator import PRIVATE, Allocator, OutOfDeviceMemoryError, Trace
from memlint.runtime.simulate.memory.blocks import Block
from memlint.runtime.simulate.memory.capacities import Tried, tried
from memlint.runtime.simulate.memory.settings import RefusedError, from_environment
from memlint.runtime.simulate.mirrors import MIRRORS
from memlint.runtime.simulate.operations import COPY_TO, Operations
from memlint.runtime.simulate.patches import guard, subclasses
from memlint.runtime.simulate.private import FakeTensor
from memlint.runtime.simulate.questions import QUESTIONS
from memlint.runtime.simulate.scratch import workspaces
from memlint.runtime.simulate.seldom import Seldom
from memlint.runtime.simulate.values import Values
from memlint.session import SIMULATED, Simulation


@functools.cache
def _consists_of_others(kind: type[Any]) -> bool:
    """Whether tensors of a class have no memory of their own, but wrap others."""
    return hasattr(kind, "__tensor_flatten__") and not issubclass(kind, FakeTensor)


_OUT_OF_MEMORY: Any = torch.cuda.OutOfMemoryError

_MISTAKES = (AssertionError, AttributeError, KeyError, NameError)
"""What torch's operators do not raise for a script's mistakes."""


def _side_by_side(
    rounds: Sequence[Sequence[int]], elsewhere: Mapping[int, Sequence[Sequence[int]]]
) -> Iterator[list[tuple[int, dict[int, int]]]]:
    """Round after round, each size with those of other cards; 0 where one of them takes nothing."""
    for of_all in zip_longest(rounds, *elsewhere.values(), fillvalue=()):
        sizes = zip_longest(*of_all, fillvalue=0)
        yield [(own, dict(zip(elsewhere, others, strict=True))) for own, *others in sizes]


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
        iterations: int = 100,
        exchange: str = "",
        processors: Collection[int] = (),
    ) -> None:
        super().__init__(log, sites)
        self.card = card
        self.allocator = Allocator(capacity)
        self.allocator.trace = Trace() if keeps_trace else None
        self.allocator.before = self._claim_late
        self.values = Values(log, sites, selected)
        QUESTIONS.counts = processors
        self.branches = Branches(self.values, turned, log.note, iterations)
        self.seldom = Seldom(turned, self._caller)
        self.operations = Operations(self, self.values, self._multiplies, self.allocator.load)
        self.unsupported = ""
        self._steps: set[tuple[Any, ...]] = set()
        self._gained: Counter[str] = Counter()
        self._exchange = exchange
        self._give_up = give_up
        self._blocks: dict[int, Block] = {}
        self._workspaces: dict[tuple[int, int], Block | None] = {}
        self._lt_workspaces: dict[tuple[int, int], Block | None] = {}
        self._multiplied: bool | None = None
        self._may_replace = False
        self._configured = False
        self._unclaimed = -1
        self._aside: Any = None

    # --- the run -----------------------------------------------------------------------------------

    def install(self) -> str:
        """Make torch accept CUDA tensors for the rest of the process; the reason where it does not."""
        from memlint.runtime.simulate.patches import legacy, library, surface

        private.keep_description()
        reason = guard.install(PLACE.count)
        if not reason:
            PLACE.used = guard.use
            surface.install(self.allocator, self.card, self.log.note)
            library.install(self.values, self.log.note, self._stop)
            legacy.install()
            self.operations.groups = install_groups(self.log.note, self._exchange, self.mark)
            private.note_resizes(self._resize)
            allow_subclasses()
            note_saved_hooks()
            private.note_own_backwards(lambda: private.lift_on_cpu(True))
        return reason

    def rewriting(self) -> tuple[Sequence[Make], Mapping[str, Any]]:
        """Asserts that fail for an invented value are passed over; conditions that hang on one are known.

        So are those that count steps.
        """
        made = [asserts.rewriting(self.values), self.branches.rewriting(), self.seldom.rewriting()]
        called = {name: function for _, names in made for name, function in names.items()}
        return tuple(make for make, _ in made), called

    def __enter__(self) -> Simulated:
        private.lift_on_cpu(True)
        super().__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        if not self.unsupported:  # Within an operation the mode is not on torch's stack.
            super().__exit__(*exception)
        private.lift_on_cpu(False)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation for real or as a fake, and look at the storages that it returned."""
        private.lift_on_cpu(True)  # this may be a thread of autograd's
        if types and any(map(_consists_of_others, types)):
            # Such a class (DTensor) makes operations on its parts of it, which come here again.
            return NotImplemented
        if types and any(map(subclasses.is_both, types)):
            with subclasses.as_fakes((args, kwargs)):
                return self.__torch_dispatch__(func, (FakeTensor,), args, kwargs)
        if private.asks_for_shapes():
            return func(*args, **(kwargs or {}))
        if not types and is_higher_order(func):
            return self._higher_order(func, args, kwargs or {})
        self._multiplied = None
        try:
            out = self.operations.run(func, types, args, kwargs or {})
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
            late = id(func) in operators.IN_PLACE
            if late:
                self._work(func, args, kwargs or {}, out)
            self._look(func, args, out)
            if self._multiplied is not None:
                adds_bias, self._multiplied = self._multiplied, None
                self._workspace(adds_bias)
            if not late:
                self._work(func, args, kwargs or {}, out)
            if func is COPY_TO and self.log.kinds.get(self.index_of(args[0]) or -1) == "input":
                self.mark(out, "input")
        except _OUT_OF_MEMORY:
            self._exhausted()
            raise
        except RefusedError as error:
            raise RuntimeError(str(error)) from None
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

    def stepped(self) -> None:
        """A step was made."""
        self.seldom.stepped()

    def _caller(self) -> tuple[str, int]:
        """The line of the project that runs."""
        site = self.sites.here(sys._getframe(1))
        return self.log.sites[site] if site != NO_SITE else ("", 0)

    # --- memory ------------------------------------------------------------------------------------

    def _multiplies(self, adds_bias: bool) -> None:
        """Torch fetches workspaces when what a product gives is there."""
        self.allocator.load()
        self._multiplied = adds_bias

    def _workspace(self, adds_bias: bool) -> None:
        user = threading.get_ident(), self.allocator.stream % PRIVATE
        if user not in self._workspaces:
            self._workspaces[user] = None
            size = workspaces.cublas(self.card.capability, torch.__version__, os.environ)
            self._workspaces[user] = self._claim(size, len(self.log.raw))
        if adds_bias and user not in self._lt_workspaces:
            other = workspaces.cublaslt(torch.__version__, os.environ)
            block = self._claim(other.size, len(self.log.raw)) if other.size else None
            if other.lasting or not other.size:
                self._lt_workspaces[user] = block
            else:
                self.allocator.release(block)

    def _work(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Take and free what the kernels of an operation work in."""
        QUESTIONS.varies = False
        rounds, spare = self.operations.scratch(func, args, kwargs, out, self.card)
        newest, elsewhere = len(self.log.raw) - 1, {}
        if QUESTIONS.varies:
            cards = {count: replace(self.card, processors=count) for count in QUESTIONS.counts}
            elsewhere = {
                count: self.operations.scratch(func, args, kwargs, out, card)[0]
                for count, card in cards.items()
            }
        for sizes in _side_by_side(rounds, elsewhere):
            blocks: list[Block | None] = []
            try:
                blocks.extend(self._claim(size, newest, spare, others) for size, others in sizes)
            finally:
                for block in blocks:
                    self.allocator.release(block)

    def _claim(
        self, size: int, index: int, spare: bool = False, elsewhere: Mapping[int, int] | None = None
    ) -> Block | None:
        """A block for a storage, by the index of its birth, or for what is needed to compute it.

        `elsewhere` are its sizes on other cards, by their multiprocessors.
        """
        if not self.allocator.segments.gained and not self._configured:
            # Scripts set the variable before torch asks for it, which is at the first request.
            self._configured = True
            settings = from_environment()
            if settings.refused:
                raise RefusedError(settings.refused)
            self.allocator.configure(settings)
            if settings.fraction < 1:
                torch.cuda.set_per_process_memory_fraction(settings.fraction)
        try:
            elsewhere = elsewhere or QUESTIONS.sizes_ahead()
            return self.allocator.malloc(size, index, spare=spare, elsewhere=elsewhere)
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
                self.operations.pinned.discard(ref.key)
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
        return {"workspaces": sum(self._sizes_of_workspaces()) + self._size_of_lt()}, ""

    def _sizes_of_workspaces(self) -> list[int]:
        return [block.requested for block in self._workspaces.values() if block is not None]

    def _size_of_lt(self) -> int:
        return sum(block.requested for block in self._lt_workspaces.values() if block is not None)

    def machine(self, device: str) -> str:
        """The imagined GPU."""
        return self.card.in_words if device.startswith("cuda") else ""

    def limit(self, error: BaseException) -> str:
        """Why the script failed for want of a real GPU, "" when it would have failed there too."""
        text = str(error)
        if "two different devices" in text or not any(mark in text for mark in terms.WITHOUT_GPU):
            return ""
        self.unsupported = f"this cannot be simulated ({in_short(error)})"
        return self.unsupported

    def doubt(self, error: BaseException) -> str:
        """The invented values for which the script may have failed, "" where it was not given any."""
        before = self.values.latest(NAMED) if may_rest_on_values(error) else ""
        return f"it was given invented values: {before}; then {in_short(error)}" if before else ""

    def simulation(self, name: Callable[[str], str]) -> Simulation:
        """What is in the numbers, what is not, and what had to be made up."""
        groups = self.operations.groups
        communicators = groups.communicators if groups is not None else 0
        return Simulation(
            gpu=self.card.in_words,
            modelled=terms.modelled(self._sizes_of_workspaces(), self._size_of_lt(), self.allocator.settings),
            unknown=terms.unknown(
                self.operations.seen, self.allocator.settings, communicators, self.operations.pinned.reserved
            ),
            invented=self.values.invented(self.log.sites, name),
            decided=(*self.branches.decided(name), *self.seldom.decided(name)),
            unsupported=self.unsupported,
            asked=tuple(QUESTIONS.asked),
            communicators=communicators,
            peers=tuple(sorted(groups.peers)) if groups is not None else (),
            buffers=groups.in_words() if groups is not None else (),
            convolutions=self.operations.searched,
            assumed=self.values.assumed,
        )

    def repeats(self, series: str) -> bool:
        """Whether a step has ended with the same blocks as one before it, and took as many bytes in all.

        Then the steps of a series between the two are all that there will be. Where nothing was taken since
        the last, several optimizers step in a row.
        """
        gained = self.allocator.requested.gained
        taken = gained - self._gained[series]
        now = series, self.state(), taken
        self._gained[series] = gained
        if not taken:
            return False
        known = now in self._steps
        self._steps.add(now)
        return known

    def state(self) -> tuple[Any, ...]:
        """What decides about the memory of the next requests, and how many tensors live."""
        return self.allocator.state(), len(self._live)

    def tried(self, devices: Iterable[Device]) -> tuple[list[Tried], int]:
        """How the run would have gone on other devices, and the least memory found that is enough."""
        asked = [
            (size, workspaces.cublas(kind, torch.__version__, os.environ), processors)
            for size, kind, processors in devices
        ]
        return tried(self.allocator, [b.number for b in self._workspaces.values() if b is not None], asked)
