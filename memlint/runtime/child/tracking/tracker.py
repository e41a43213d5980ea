"""Follows every tensor storage through the dispatcher, exactly, on any eager device.

A TorchDispatchMode sees each operation below autograd; every storage among the outputs is followed by a
weak reference until it is freed. Buffers that kernels allocate inside one operation are invisible here:
the report asks torch's profiler for those (see `truth`).
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import torch

from memlint.runtime.child.log import NO_MODULE, NO_SITE, Exhaustion, Log
from memlint.runtime.child.private import (
    TorchDispatchMode,
    calls_functions,
    current_node,
    give_back,
    inner_tensors,
    is_higher_order,
    is_out_of_memory,
    is_view,
    plain_kernel,
    plainly,
    storage_key,
    take_away,
    unshield,
)
from memlint.runtime.child.tracking import operators
from memlint.runtime.child.tracking.borrowed import Borrowed
from memlint.runtime.child.tracking.deaths import Deaths
from memlint.runtime.child.tracking.guards import in_words, is_of_a_signal
from memlint.runtime.child.tracking.origins import Origins
from memlint.runtime.child.tracking.products import NEEDS, Products
from memlint.runtime.child.tracking.real_device import RealDevice
from memlint.runtime.child.tracking.sites import Sites

_getframe = sys._getframe
_recording = torch.is_grad_enabled
_APPLY = torch.autograd.Function.apply.__func__.__code__  # type: ignore[attr-defined]
_AROUND = 64
"""Callers that are looked at for a function of the script's own, whose forward runs without a graph."""
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_WITHOUT_GRAPHS = ("evaluation", "optimizer", "setup")

_PLAIN_PRODUCTS = (
    "flex_attention: run as plain products, which make all scores: its compiled kernel needs far less memory"
)

LOST = "tensors are not followed any more: all bytes are those up to there"
"""What the report says where births and deaths can no longer be recorded."""


class _Ref(weakref.ref[Any]):
    """A weak reference to a storage that remembers which one it was.

    One object per birth: closures and records would be a dozen, and the cyclic collector, which runs by
    the number of objects made, would take a tenth of the step.
    """

    __slots__ = ("index", "key")
    key: int
    index: int


class Tracker(RealDevice, TorchDispatchMode):
    """Writes births, deaths and resizes of storages into a Log.

    `phase`, `graphless`, `backward_site`, `backward_library` and `module` are set by the hooks: what the
    script is doing, whether that is an evaluation which lasts until graphs are built again, the lines
    that called backward (a CUDA backward runs in a thread of its own, where no user frame can be found), and
    whose forward runs.

    With `addresses`, the log is told where sums and the gradients lay which they replace.

    A mistake in here ends the following, not the script: what the log holds so far stays true.
    """

    supports_higher_order_operators = True
    """Tells torch to bring them here; without it, they raise under a mode."""

    def __init__(self, log: Log, sites: Sites) -> None:
        super().__init__()
        self.log = log
        self.sites = sites
        self.phase = "setup"
        self.graphless = False
        self.backward_site = self.backward_library = NO_SITE
        self.module = NO_MODULE
        self._live: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._watch: dict[int, _Ref] = {}
        self._deaths = Deaths(self._on_death, self._follow)
        self._dead = self._deaths.tell
        self._skips: dict[int, bool] = {}
        self._operators: list[Any] = []
        self._origins = Origins()
        self._borrowed = Borrowed()
        self._products = Products(self)
        self._lifted = False
        self._thread = threading.get_ident()
        self._devices: dict[torch.device, str] = {}
        self._replaced = -1
        self.addresses = False
        self._places = 0, 0

    def __enter__(self) -> Any:
        self._deaths.install()
        return super().__enter__()

    def __exit__(self, *exception: Any) -> None:
        self._deaths.remove()
        super().__exit__(*exception)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation and look at the storages that it returned."""
        if not types and is_higher_order(func):
            return self._higher_order(func, args, kwargs or {})
        try:
            out = func(*args, **kwargs) if kwargs else func(*args)
        except RuntimeError as error:
            if is_out_of_memory(error):
                self._exhausted()
            raise
        try:
            self._look(func, args, out)
        except Exception as error:
            self._lose(error)
        return out

    def _higher_order(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run an operator that is given functions (`flex_attention`, `cond`): what it does comes here again.

        Where its kernel refuses modes, only what its functions do does.
        """
        kernel, takes_modes = plain_kernel(func)
        if takes_modes:
            if func.name() == "flex_attention":
                self.log.note(_PLAIN_PRODUCTS)
            return self._followed(kernel)(*args, **kwargs)
        if calls_functions(func):
            args = [self._followed(each) if callable(each) else each for each in args]
        out = func(*args, **kwargs)
        self._see_all([out])
        return out

    def _followed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is followed also where this mode has been taken off torch's stack."""

        def called(*args: Any, **kwargs: Any) -> Any:
            TorchDispatchMode.__enter__(self)
            try:
                return function(*args, **kwargs)
            finally:
                TorchDispatchMode.__exit__(self, None, None, None)

        return called

    def _look(self, func: Any, args: Any, out: Any) -> None:
        """Record what an operation has made: storages, and autograd nodes where there was none of them."""
        if self._products.newest is not None:
            self._products.watch()
        # By identity: an operator's own hash is a call of Python code.
        skip = self._skips.get(id(func))
        if skip is None:
            self._operators.append(func)
            skip = self._skips[id(func)] = operators.only_aliases(func)
        if not skip:
            self._replaced = -1  # what outlived the last sum was not replaced by it
            if isinstance(out, torch.Tensor):
                self._lifted = func is operators.LIFT
                self._see(out)
                nodes = operators.IN_PLACE.get(id(func))
                if nodes is not None and not _recording() and (node := current_node()) is not None:
                    self._note_sum(args[0], out, node, nodes)
                if id(func) in NEEDS:
                    self._products.made(func, args[0], out)
            elif isinstance(out, (tuple, list)):
                self._see_all(out)
        elif self._origins.is_behind() and current_node() is None:
            # The backward of a view may need more memory than any other.
            self._note_node(*self.sites.both(_getframe(1)))

    def _lose(self, error: Exception) -> None:
        """Follow nothing from here on, and say so.

        Raises:
            Exception: `error` itself, where a signal handler of the script raised it.
        """
        if is_of_a_signal(error):
            raise error
        log = self.log
        if log.valid is not None:
            return
        log.valid = (len(log.events), len(log.ticks))
        site = self.sites.here(_getframe(1))
        path, line = log.sites[site] if site != NO_SITE else ("", 0)
        after = f"after {self.sites.name(path)}:{line} " if line else ""
        log.lost[LOST] = f"{after}{LOST}: {in_words(error)}"
        for name in ("_see", "_see_all", "_note_node", "_note_sum", "_pass"):
            setattr(self, name, _do_nothing)

    def _exhausted(self) -> None:
        """Note where memory has run out."""
        log = self.log
        try:
            node = current_node()
            site, library = self.sites.both(_getframe(1))
            module, forward, phase = self.module, NO_SITE, self.phase
            if site == NO_SITE and self._is_in_backward(node):
                site = self.backward_site
            if node is not None:
                phase = "backward"
                if not (_recording() and self._repeats(site, library)):
                    forward, module, library = self._origins.of(node)
            log.exhausted.append(Exhaustion(len(log.events), site, phase, forward, module, library))
            log.boundaries.append(len(log.events))
        except Exception as error:
            log.lost.setdefault("memory", f"a moment when memory ran out is not known: {in_words(error)}")

    def _note_sum(self, first: Any, out: Any, node: Any, nodes: tuple[str, ...]) -> None:
        """Remember an operation of backward that may be out of place only because a mode is active.

        Then its first operand dies as soon as the result is made; others live until their node ends.
        """
        self._replaced = -1
        if nodes and node.name() not in nodes:
            return
        # What the backward() of a script's own function adds up is added up without a mode too.
        if isinstance(node, operators.OF_PYTHON) and self._repeats(*self.sites.both(_getframe(2))):
            return
        index = None if is_view(first) else self.index_of(first)
        self._replaced = -1 if index is None else index
        if self.addresses and index is not None:
            self._places = out.untyped_storage().data_ptr(), first.untyped_storage().data_ptr()

    def _see_all(self, values: Iterable[Any]) -> None:
        for value in values:
            if isinstance(value, torch.Tensor):
                self._see(value)
            elif isinstance(value, (tuple, list)):
                self._see_all(value)

    def _see(self, tensor: torch.Tensor) -> None:
        if type(tensor) not in _PLAIN:
            # The attributes of a subclass may be code of the script, or fail.
            with plainly():
                self._see_other(tensor)
            return
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, NotImplementedError):
            self._see_other(tensor)
            return
        key = storage_key(storage)
        known = self._live.get(key)
        if known is None:
            self._born(tensor, storage, key)
        elif storage.nbytes() != self._sizes[known]:
            self._resized(known, storage.nbytes())

    def _see_other(self, tensor: torch.Tensor) -> None:
        """Look at a tensor that is of a class or a layout of its own: it may consist of others."""
        if inner := self._parts(tensor):
            self._see_all(inner)
            return
        try:
            storage = tensor.untyped_storage()
            key, size = storage_key(storage), storage.nbytes()
        except (RuntimeError, NotImplementedError):
            self.log.note(
                f"tensors of layout {tensor.layout} have no storage of their own and are not followed"
            )
            return
        known = self._live.get(key)
        if known is None:
            self._born(tensor, storage, key)
        elif size != self._sizes[known]:
            self._resized(known, size)

    def _parts(self, tensor: torch.Tensor) -> list[torch.Tensor]:
        """The plain tensors that one consists of; [] for one with a storage of its own."""
        if type(tensor) in _PLAIN and tensor.layout is torch.strided:
            return []
        try:
            return inner_tensors(tensor)
        except Exception as error:
            name = type(tensor).__name__
            self.log.note(f"what tensors of class {name} consist of is not known ({type(error).__name__})")
            return []

    def _born(self, tensor: torch.Tensor, storage: Any, key: int) -> None:
        log = self.log
        node = current_node()
        site, library = self.sites.both(_getframe(2))
        forward, phase, recording, module = NO_SITE, self.phase, _recording(), self.module
        if site == NO_SITE and self._is_in_backward(node):
            site = self.backward_site
        if node is not None:
            phase = "backward"
            repeats = recording and self._repeats(site, library)
            if not repeats:
                forward, module, library = self._origins.of(node)
            # The nodes of other threads have numbers of their own.
            if recording and threading.get_ident() == self._thread:
                self._note_node(site if repeats else forward, library)
        else:
            if recording and self.graphless:
                phase, self.phase, self.graphless = "other", "other", False
            self._note_node(site, library)
            if not recording:
                recording = phase not in _WITHOUT_GRAPHS and _is_in_function(_getframe(2))
            else:
                # What merely exists beside a graph (labels, copies of weights) is no part of it.
                recording = phase == "forward" or self._origins.is_newest(site)
        index = len(log.raw)
        size = nbytes = storage.nbytes()
        if self._lifted and not storage.resizable():
            size = self._borrowed.add(index, storage.data_ptr(), nbytes)
        device = tensor.device
        name = self._devices.get(device) or self._devices.setdefault(device, str(device))
        log.raw.append((size, site, phase, forward, name, recording, module, library))
        self._live[key] = index
        self._sizes[index] = nbytes
        self._watch_for(storage, key, index)
        log.events.append(index)

    def _watch_for(self, storage: Any, key: int, index: int) -> None:
        ref = _Ref(storage, self._dead)
        ref.key, ref.index = key, index
        self._watch[index] = ref

    def _follow(self, dead: _Ref, storage: Any) -> None:
        """Go on with a storage whose weak reference died although it lives."""
        if self._live.get(dead.key) == dead.index:
            self._watch_for(storage, dead.key, dead.index)

    def _note_node(self, site: int, library: int) -> None:
        """Remember where the newest autograd node comes from, if it was made since the last look."""
        self._origins.note(site, self.module, library)

    def _is_in_backward(self, node: Any) -> bool:
        """Whether backward runs: a node of it, or a callback that it was given, which belongs to no node
        (`queue_callback` of torch/csrc/autograd/engine.cpp; FSDP reduces and frees what is left there)."""
        return node is not None or self.phase == "backward"

    def _repeats(self, site: int, library: int) -> bool:
        """Whether lines that run in backward, where graphs are built, are those of a forward once more."""
        return site != self.backward_site or library not in (NO_SITE, self.backward_library)

    def line_of_node(self, number: int) -> int:
        """The site of the forward line that made an autograd node, by its number; NO_SITE where not known."""
        return self._origins.line_of(number)

    def _on_death(self, ref: _Ref) -> None:
        try:
            index, events = ref.index, self.log.events
            if self._live.get(ref.key) == index:
                del self._live[ref.key]
            if index == self._replaced and events[-1] == len(self.log.raw) - 1:
                events[-1:] = [~index, events[-1]]
                self.log.sums.append(len(events) - 1)
                if self.addresses:
                    self.log.replaced.append(self._places)
            else:
                events.append(~index)
            if index in self._borrowed:
                events += self._borrowed.remove(index).items()
            self._sizes.pop(index, None)
            self._watch.pop(index, None)
        except Exception as error:
            self._lose(error)

    def _resized(self, index: int, size: int) -> None:
        self.log.events.append((index, size - self._sizes[index]))
        self._sizes[index] = size

    def step_aside(self) -> bool:
        """Let a node of backward run as without a mode; False where another mode is active as well."""
        return take_away(self)

    def step_back(self, made: Any, passing: int) -> None:
        """Follow again: `made` are the node's gradients, beside which it needed `passing` bytes."""
        give_back(self)
        self._look_back(made, passing)

    def _look_back(self, made: Any, passing: int) -> None:
        try:
            for tensor in made:
                if isinstance(tensor, torch.Tensor) and self.index_of(tensor) is None:
                    self._see(tensor)
                    self._pass(passing)
        except Exception as error:
            if is_out_of_memory(error):
                self._exhausted()
                raise
            self._lose(error)

    def _pass(self, size: int) -> None:
        """Note memory that was taken where the newest storage was made, and is free again."""
        index = len(self.log.raw)
        self.log.raw.append((size, *self.log.raw[-1][1:]))
        self.log.events += [index, ~index]

    def cuda_devices(self) -> list[str]:
        """The CUDA devices on which a storage was seen so far."""
        return [name for name in self._devices.values() if name.startswith("cuda")]

    def alive(self) -> list[tuple[int, int]]:
        """Address and birth index of every storage that is alive."""
        return list(self._live.items())

    def index_of(self, value: Any) -> int | None:
        """The birth index of a live tensor's storage, or None if it is not followed."""
        if type(value) in _PLAIN and value.layout is torch.strided:
            try:
                return self._live.get(storage_key(value.untyped_storage()))
            except NotImplementedError:  # a tensor of torch.func around another one
                return None
        if not isinstance(value, torch.Tensor):
            return None
        with plainly():
            try:
                return self._live.get(storage_key(value.untyped_storage()))
            except (RuntimeError, NotImplementedError):
                return None

    def mark(self, value: Any, kind: str, owner: int = NO_MODULE) -> None:
        """Say which role a live tensor plays, and which module owns it; the last word counts."""
        if type(value) in _PLAIN and value.layout is torch.strided:
            found = [self.index_of(value)]
        elif isinstance(value, torch.Tensor):
            with plainly():
                found = [self.index_of(tensor) for tensor in self._parts(value) or [value]]
        else:
            return
        for index in found:
            if index is not None:
                self.log.kinds[index] = kind
                if owner != NO_MODULE:
                    self.log.owners[index] = owner

    def adopt(self, value: Any) -> None:
        """Follow a tensor that no operation returned (a batch that a worker process sent)."""
        if isinstance(value, torch.Tensor) and self.index_of(value) is None:
            self._see(value)


unshield(Tracker)


def _is_in_function(frame: FrameType | None) -> bool:
    """Whether the forward of an autograd.Function runs: what it makes may be kept for its backward."""
    for _ in range(_AROUND):
        if frame is None:
            return False
        if frame.f_code is _APPLY:
            return True
        frame = frame.f_back
    return False


def _do_nothing(*args: Any) -> None:
    """What a part of the tracker does once it has failed."""
