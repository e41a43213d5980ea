"""Which module's forward is running, and what the modules and their parameters are called."""

from __future__ import annotations

import linecache
import sys
import threading
import weakref
from types import FrameType
from typing import Any

import torch
from torch.nn.modules import module as nn_module
from torch.nn.parameter import is_lazy

from memlint.runtime.child.log import NO_MODULE, Log, Module
from memlint.runtime.child.private import CALL_CODE, has_state, tensors_of
from memlint.runtime.child.probe import Probe
from memlint.runtime.child.project import PACKAGE
from memlint.runtime.child.tracking.sites import Sites

_NOT_NAMED = Module(NO_MODULE, "", "", False)


class _Ref(weakref.ref[Any]):
    """A weak reference to a module that knows the module's index in the log, and that of its root."""

    __slots__ = ("address", "index", "root")
    address: int
    index: int
    root: int


class _Stack(threading.local):
    """The modules whose forward a thread is in, outermost first: (address, index in the log)."""

    def __init__(self) -> None:
        self.entered: list[tuple[int, int]] = []
        self.root = NO_MODULE


class ModulePaths:
    """Keeps the stack of running forwards, and tells the tracker who is on top.

    A module is named by its place below the outermost module whose call leads to it. Without a tracker only
    the depth is kept.
    """

    def __init__(self, log: Log, sites: Sites) -> None:
        self._log = log
        self._sites = sites
        self._refs: list[_Ref] = []
        self._known: dict[int, _Ref] = {}
        self._lazy: set[int] = set()
        self._parameters: dict[int, tuple[_Ref, str]] = {}
        self._stack = _Stack()
        self._main = self._stack.entered

    def enter(self, module: Any, tracker: Probe | None, in_backward: bool) -> bool:
        """A forward begins; whether it is one that no other module has called."""
        stack = self._stack
        entered = stack.entered
        index = NO_MODULE
        if tracker is not None:
            known = self._known.get(id(module))
            if entered and (known is None or known.root != stack.root or known.index == stack.root):
                # Roots seldom call each other: what seems to run may have ended.
                self.settle(tracker, 1)
        # The threads of DataParallel work for the module that has started them.
        is_root = not entered and not self._main
        if tracker is not None:
            if known is not None:
                index = known.index
            elif entered:
                index = self._learn(module, entered[-1][1], tracker)
            elif not in_backward:
                index = self._note(module, None, "", tracker)
            if in_backward or entered is self._main:
                tracker.module = index
            if not entered and index != NO_MODULE:
                stack.root = self._refs[index].root
        entered.append((id(module), index))
        return is_root

    def leave(self, module: Any, tracker: Probe | None, in_backward: bool) -> bool:
        """A forward has ended, if only by an exception; whether no other module has called it."""
        entered = self._stack.entered
        address = id(module)
        # Forwards that something else than an Exception has ended are left with the one around them.
        for place in range(len(entered) - 1, -1, -1):
            if entered[place][0] == address:
                del entered[place:]
                break
        if tracker is not None:
            if in_backward or entered is self._main:
                tracker.module = entered[-1][1] if entered else NO_MODULE
            if address in self._lazy:
                self._lazy.discard(address)
                self._note_tensors(module, self._known[address], tracker)
        return not entered and (entered is self._main or not self._main)

    def settle(self, tracker: Probe | None, begun: int = 0) -> None:
        """Forget the forwards of this thread that only seem to run: they ended without a word.

        So they do by a KeyboardInterrupt that the script catches. `begun` are those that run, but are not
        noted yet.
        """
        entered = self._stack.entered
        if not entered:
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code is CALL_CODE:
                if not begun:
                    return
                begun -= 1
            frame = frame.f_back
        entered.clear()
        if tracker is not None and entered is self._main:
            tracker.module = NO_MODULE

    def modules(self) -> list[Any]:
        """The modules that have a name, those that are still there."""
        return [module for ref in list(self._known.values()) if (module := ref()) is not None]

    # --- names -------------------------------------------------------------------------------------

    def _learn(self, module: Any, above: int, tracker: Probe) -> int:
        """The index of a module that is new below one whose forward runs."""
        if above == NO_MODULE or not has_state(module):
            # Something without a state, made for this call alone perhaps: it counts as its caller.
            return above
        root = self._log.modules[above].root
        top = self._refs[root]()
        if top is not None:
            self._note(top, root, "", tracker)
            if (known := self._known.get(id(module))) is not None:
                return known.index
        caller = self._log.modules[above]
        name = f"({type(module).__name__})"
        return self._note(module, root, f"{caller.path}.{name}" if caller.path else name, tracker)

    def _note(self, top: Any, root: int | None, prefix: str, tracker: Probe) -> int:
        """Name a module, whose root is itself where none is given, and all below it; its index."""
        parts = list(torch.nn.Module.named_modules(top))
        before = {known.index for _, part in parts if (known := self._known.get(id(part))) is not None}
        for name, part in parts:
            known = self._known.get(id(part))
            if known is None:
                known = self._known[id(part)] = _Ref(part, self._gone)
                known.address, known.index = id(part), len(self._refs)
                self._refs.append(known)
                self._log.modules.append(_NOT_NAMED)
            if root is None:
                root = known.index
            row = self._log.modules[known.index]
            known.root = row.root
            # What was called on its own before is now seen in its place.
            if row is _NOT_NAMED or (row.root in before and row.root != root):
                path = ".".join(filter(None, (prefix, name)))
                own = self._sites.owns(_file_of(type(part)))
                line = _called_as(self._sites, sys._getframe(1)) if part is top and not prefix else ""
                known.root = root
                self._log.modules[known.index] = Module(root, path, type(part).__name__, own, line)
            self._note_tensors(part, known, tracker)
        return self._known[id(top)].index

    def _note_tensors(self, module: Any, known: _Ref, tracker: Probe) -> None:
        """Say whose the parameters and buffers of a module are."""
        for held, kind in zip(tensors_of(module), ("parameter", "other"), strict=True):
            for name, tensor in held.items():
                if tensor is None:
                    continue
                if is_lazy(tensor):
                    # It gets its storage in the forward that is about to run.
                    self._lazy.add(known.address)
                    continue
                # Of tied weights, the first module in the tree has them.
                if self._log.owners.get(tracker.index_of(tensor), NO_MODULE) == NO_MODULE:  # type: ignore[arg-type]
                    tracker.mark(tensor, kind, known.index)
                if kind == "parameter" and self.owner(tensor) == NO_MODULE:
                    self._parameters[id(tensor)] = (known, name)

    def owner(self, parameter: torch.Tensor) -> int:
        """The module that owns a parameter; NO_MODULE where none that was called does."""
        entry = self._parameters.get(id(parameter))
        if entry is None:
            return NO_MODULE
        known, name = entry
        module = known()
        if module is None:
            return NO_MODULE
        held, _ = tensors_of(module)
        # Scripted modules have a view of C++ in its place.
        found = held.get(name) if isinstance(held, dict) else dict(held.items()).get(name)
        # Another tensor may have its address now.
        return known.index if found is parameter else NO_MODULE

    def _gone(self, ref: _Ref) -> None:
        if self._known.get(ref.address) is ref:
            del self._known[ref.address]
            self._lazy.discard(ref.address)


def _file_of(kind: type) -> str:
    code = getattr(getattr(kind, "forward", None), "__code__", None)
    return code.co_filename if code is not None else ""


def _called_as(sites: Sites, frame: FrameType | None) -> str:
    """What the project's line calls at this moment ("self.netD"); "" where that is no name."""
    passing = (PACKAGE, nn_module.__file__)
    while frame is not None and frame.f_code.co_filename.startswith(passing):
        frame = frame.f_back
    if frame is None or not sites.owns(frame.f_code.co_filename):
        return ""
    first, last, start, end = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    if first is None or start is None:
        return ""
    line = linecache.getline(frame.f_code.co_filename, first).encode()
    text = line[start : end if first == last else None].decode(errors="replace")
    name = text.partition("(")[0].strip()
    return name if name.replace(".", "").isidentifier() else ""
