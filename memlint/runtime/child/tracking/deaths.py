"""Tells which storages have really died when the garbage collector says so.

A tensor that only C++ holds keeps its storage's Python object alive unseen by the collector. Where
garbage refers to such an object (torch.save leaves some behind), torch 2.4 to 2.7 at least let the collector
take it for garbage too: its weak references are called, although the storage lives on.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.child.private import MISTAKEN_DEATHS, storage_key


class Deaths:
    """Passes on deaths: those within a collection at its end, once they are known to be true.

    `died` is given a weak reference with the `key` of its storage; `lives` also the storage, where it does.
    """

    def __init__(self, died: Callable[[Any], None], lives: Callable[[Any, Any], None]) -> None:
        self._died = died
        self._lives = lives
        self._collecting = False
        self._doubtful: dict[int, Any] = {}

    def install(self) -> None:
        """Hear of collections, where this torch is mistaken in them."""
        if MISTAKEN_DEATHS and self._hear not in gc.callbacks:
            gc.callbacks.append(self._hear)

    def remove(self) -> None:
        """Pass on everything at once from now on."""
        if self._hear in gc.callbacks:
            gc.callbacks.remove(self._hear)

    def tell(self, ref: Any) -> None:
        """A weak reference has died."""
        if self._collecting:
            self._doubtful[ref.key] = ref
        else:
            self._died(ref)

    def _hear(self, phase: str, info: Any) -> None:
        self._collecting = phase == "start"
        if self._collecting or not self._doubtful:
            return
        doubtful, self._doubtful = self._doubtful, {}
        # Whatever Python object is left was given back to C++; one that died took its storage along.
        for value in gc.get_objects():
            if type(value) is torch.UntypedStorage and (ref := doubtful.pop(storage_key(value), None)):
                self._lives(ref, value)
        for ref in doubtful.values():
            self._died(ref)
