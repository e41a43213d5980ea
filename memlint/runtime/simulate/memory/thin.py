"""Large tensors of made-up data in host memory, in little of it.

Scripts are tried without their data: `torch.randn(50_000, 3, 224, 224)` are 30 GB, of which the steps that
are looked at read a few batches. Where a whole tensor is filled, its pages are put in another way: zeros are
left for the system to give when they are touched, and of random numbers some are kept, which the tensor shows
again and again; what is written into it later is its own. As many numbers are drawn as torch would draw, so
that everything that is drawn later is the same. Random numbers in one dimension stay what they are: masks of
items are made of such.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import sys
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.simulate.private import operator, operators

LEAST = 64 << 20
"""Bytes from which on tensors are made in this way."""

PERIOD, MOST_PARTS = 4 << 20, 256
"""Bytes after which random numbers repeat: at least so many, and in so many parts at most."""

_TOGETHER = 16
"""Numbers that torch makes normal at once (normal_fill in ATen/native/cpu/DistributionTemplates.h): pieces
of a multiple of them are the same numbers as the whole."""

_PRIVATE, _FIXED, _ANONYMOUS, _NO_RESERVE = 0x02, 0x10, 0x20, 0x4000
_HEADER = 16
_MMAPPED, _FLAGS = 2, 7

Fill = Callable[[Any], Any]
"""Fills all of a tensor in place."""

_FILLS = operators("uniform_.default normal_.default random_.default random_.to random_.from".split())
_CONSTANTS = operators("zero_.default fill_.Scalar".split())

_RAND = operators("rand.default rand.generator".split())
_RANDN = operators("randn.default randn.generator".split())
_RANDINT = operators("randint.default randint.generator".split())
_RANDINT_LOW = operators("randint.low randint.low_generator".split())
_ZEROS, _ONES, _FULL = operator("zeros.default"), operator("ones.default"), operator("full.default")


def made(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What a function that makes or fills a tensor gives, in few pages; None where torch is to do it."""
    if not args or sys.platform != "linux":
        return None
    if func in _FILLS or func in _CONSTANTS:
        constant = func in _CONSTANTS
        if not _is_whole(args[0]) or not (constant or args[0].dim() > 1):
            return None
        return _filled(args[0], lambda part: func(part, *args[1:], **kwargs), constant)
    found = _factory(func, args, kwargs)
    if found is None:
        return None
    shape, fill, constant = found
    dtype = kwargs.get("dtype") or (torch.int64 if func in _RANDINT or func in _RANDINT_LOW else None)
    dtype = dtype or (torch.get_default_dtype() if func is not _FULL else None)
    size = math.prod(shape) * dtype.itemsize if dtype is not None else 0
    if size < LEAST or kwargs.get("layout") not in (None, torch.strided) or not (constant or len(shape) > 1):
        return None
    return _filled(torch.empty(shape, dtype=dtype), fill, constant)


def _factory(func: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any, Fill, bool] | None:
    """The shape of what a function makes, how it is filled, and whether all of it is the same."""
    generator = kwargs.get("generator")
    if func in _RAND:
        return args[0], lambda part: part.uniform_(generator=generator), False
    if func in _RANDN:
        return args[0], lambda part: part.normal_(generator=generator), False
    if func in _RANDINT:
        return args[1], lambda part: part.random_(0, args[0], generator=generator), False
    if func in _RANDINT_LOW:
        return args[2], lambda part: part.random_(args[0], args[1], generator=generator), False
    if func is _ZEROS:
        return args[0], lambda part: part.zero_(), True
    if func is _ONES or func is _FULL:
        value = args[1] if func is _FULL else 1
        return args[0], lambda part: part.fill_(value), True
    return None


def _is_whole(tensor: Any) -> bool:
    """Whether a tensor is large, in host memory, and all of its storage."""
    size = tensor.numel() * tensor.itemsize
    return (
        size >= LEAST
        and tensor.device.type == "cpu"
        and tensor.layout is torch.strided
        and tensor.is_contiguous()
        and size == tensor.untyped_storage().nbytes()
    )


def _filled(tensor: Any, fill: Fill, constant: bool) -> Any:
    """The tensor, filled; its pages are replaced where they are its own."""
    flat = tensor.detach().view(-1)
    address, size, each = flat.data_ptr(), flat.numel() * flat.itemsize, flat.itemsize
    period = max(PERIOD, math.ceil(size / MOST_PARTS / mmap.PAGESIZE) * mmap.PAGESIZE)
    count = period // each
    whole = constant or not 0 < flat.numel() % count < _TOGETHER
    if not whole or period % each or not _is_mapped(address, size):
        fill(flat)
        return tensor
    kept = fill(torch.empty(count, dtype=flat.dtype))
    if not constant:
        scratch = torch.empty_like(kept)
        for start in range(count, flat.numel(), count):
            fill(scratch[: flat.numel() - start])
    first = -(-address // mmap.PAGESIZE) * mmap.PAGESIZE
    parts = (address + size - first) // period
    start, end = (first - address) // each, (first - address + parts * period) // each
    flat[:start] = kept[:start]
    kept = kept.roll(-start)
    shown = _show(first, period, parts, kept if kept.view(torch.uint8).any() else None)
    for begin in range(end if shown else start, flat.numel(), count):
        flat[begin : begin + count] = kept[: flat.numel() - begin]
    return tensor


def _is_mapped(address: int, size: int) -> bool:
    """Whether a block of malloc has pages of its own, by what glibc writes before it (malloc/malloc.c)."""
    if address % mmap.PAGESIZE < _HEADER:
        return False
    before, word = (ctypes.c_size_t.from_address(address - back).value for back in (_HEADER, _HEADER // 2))
    length = word & ~_FLAGS
    begins = address - _HEADER - before
    is_such = word & _FLAGS == _MMAPPED and begins % mmap.PAGESIZE == (before + length) % mmap.PAGESIZE == 0
    return is_such and address + size <= begins + before + length <= address + size + 2 * mmap.PAGESIZE


def _show(address: int, period: int, parts: int, kept: Any) -> bool:
    """Put zeros, or in each part what is kept, in the place of pages; whether the system did."""
    if sys.platform != "linux":
        return False
    put = ctypes.CDLL(None, use_errno=True).mmap
    put.restype = ctypes.c_void_p
    put.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    how = mmap.PROT_READ | mmap.PROT_WRITE, _PRIVATE | _FIXED | _NO_RESERVE
    if kept is None:
        return bool(put(address, period * parts, how[0], how[1] | _ANONYMOUS, -1, 0) == address)
    try:
        file = os.memfd_create("memlint")
    except OSError:
        return False
    try:
        with open(file, "wb", closefd=False) as out:
            out.write((ctypes.c_char * (kept.numel() * kept.itemsize)).from_address(kept.data_ptr()))
        places = (address + number * period for number in range(parts))
        return all(put(place, period, *how, file, 0) == place for place in places)
    except OSError:
        return False
    finally:
        os.close(file)
