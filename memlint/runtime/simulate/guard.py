"""Makes a torch without a usable GPU accept tensors that claim to be on CUDA, without a compiler.

Two places of torch's C++ ask for a GPU as soon as autograd sees a CUDA tensor. Both can be answered from
here, because torch itself has an answer for a CUDA build on a machine without a GPU:

1. The registry of device guards: a stub that counts no devices is put where CUDA's guard would be, and
   torch's own ensureCUDADeviceGuardSet() replaces it by NoOpDeviceGuardImpl.
2. The CUDA hooks object gets a copy of its virtual table in which isBuilt() is true (so that CUDA is the
   accelerator whose thread the autograd engine uses) and hasPrimaryContext() is false.

Slots and names are those of torch 2.13 (ATen/detail/AcceleratorHooksInterface.h); no other version is
touched.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from pathlib import Path
from typing import Any

import torch

VERSION = (2, 13)
"""The one torch whose C++ tables were looked at."""

_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"
_GET_HOOKS = "_ZN2at6detail12getCUDAHooksEv"
_CUDA = 1
_DEVICE_TYPES = 21
_IS_BUILT, _HAS_PRIMARY_CONTEXT = 2, 4
_SLOTS, _BEFORE_SLOTS = 64, 2
_WORD = ctypes.sizeof(ctypes.c_void_p)

_kept: list[Any] = []
"""What C++ points to from now on."""


def why_not() -> str:
    """Why tensors cannot be simulated by this torch on this machine; "" when nothing speaks against it."""
    system, machine = platform.system(), platform.machine()
    if sys.platform != "linux" or machine not in ("x86_64", "AMD64"):
        return f"it works on Linux on x86-64 only, this is {system} on {machine}"
    version = torch.__version__.partition("+")[0]
    if version.split(".")[:2] != [str(part) for part in VERSION]:
        return f"it works with torch {VERSION[0]}.{VERSION[1]} only, this is {torch.__version__}"
    if torch.version.hip is not None:
        return "this torch is built for ROCm"
    try:
        ctypes.c_void_p.in_dll(_library("libc10.so"), _REGISTRY)
        getattr(_library("libtorch_cpu.so"), _GET_HOOKS)
    except (OSError, ValueError, AttributeError) as error:
        return f"this torch lacks what it replaces ({error})"
    if not hasattr(torch._C, "_ensureCUDADeviceGuardSet"):
        return "this torch lacks what it replaces (torch._C._ensureCUDADeviceGuardSet)"
    return ""


def install() -> str:
    """Replace both answers for the rest of the process; the reason where that did not work, else ""."""
    reason = why_not()
    return reason or _guard() or _hooks()


def _library(name: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / name))


def _guard() -> str:
    registry = (ctypes.c_void_p * _DEVICE_TYPES).in_dll(_library("libc10.so"), _REGISTRY)
    if registry[_CUDA]:
        torch._C._ensureCUDADeviceGuardSet()
        return ""
    no_devices = ctypes.CFUNCTYPE(ctypes.c_int8, ctypes.c_void_p)(lambda this: 0)
    table = (ctypes.c_void_p * _SLOTS)(*([ctypes.cast(no_devices, ctypes.c_void_p).value] * _SLOTS))
    stub = ctypes.c_void_p(ctypes.addressof(table))
    registry[_CUDA] = ctypes.addressof(stub)
    torch._C._ensureCUDADeviceGuardSet()
    if registry[_CUDA] == ctypes.addressof(stub):
        registry[_CUDA] = None
        return "this torch did not take the stand-in for the CUDA device guard"
    _kept.extend((no_devices, table, stub))
    return ""


def _hooks() -> str:
    get = getattr(_library("libtorch_cpu.so"), _GET_HOOKS)
    get.restype = ctypes.c_void_p
    hooks = ctypes.c_void_p.from_address(get())
    if not hooks.value:
        return "this torch has no CUDA hooks"
    # Offset to top and type information lie before the first slot of a virtual table.
    length = _SLOTS + _BEFORE_SLOTS
    start = hooks.value - _BEFORE_SLOTS * _WORD
    table = (ctypes.c_void_p * length)(*(ctypes.c_void_p * length).from_address(start))
    built = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)(lambda this: True)
    context = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int8)(lambda this, device: False)
    table[_BEFORE_SLOTS + _IS_BUILT] = ctypes.cast(built, ctypes.c_void_p).value
    table[_BEFORE_SLOTS + _HAS_PRIMARY_CONTEXT] = ctypes.cast(context, ctypes.c_void_p).value
    _kept.extend((table, built, context))
    hooks.value = ctypes.addressof(table) + _BEFORE_SLOTS * _WORD
    return ""
