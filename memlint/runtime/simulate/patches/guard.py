"""Makes a torch without a usable GPU accept tensors that claim to be on CUDA, without a compiler.

Two objects of torch's C++ are asked about the GPU as soon as autograd sees a CUDA tensor. Both are answered
from here, in the same way for every torch and for builds with and without CUDA:

1. The guard of CUDA devices gets a table of virtual functions by which each device has one stream,
   and everything on it is done at once (torch's own stand-in, NoOpDeviceGuardImpl, is not in every torch,
   and its device -1 is an index that the autograd engine reads by).
2. The CUDA hooks get a copy of the table that they have in a build without CUDA (one with CUDA would ask the
   driver for cuDNN's sake), in which CUDA is built in (so that it is the accelerator whose thread the
   autograd engine uses) and device 0 is in use.

Where each function lies is read from the headers of the installed torch (see `vtables`).
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import platform
import sys
from pathlib import Path
from typing import Any

import torch

from memlint.runtime.child import torch_names
from memlint.runtime.simulate.patches import vtables

_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"
_GET_HOOKS = "_ZN2at6detail12getCUDAHooksEv"
_HOOKS_TABLE = "_ZTVN2at18CUDAHooksInterfaceE"
_CUDA = 1
_BEFORE_SLOTS = 2
"""Offset to top and type information lie before the first entry of a virtual table."""

_WORD = ctypes.sizeof(ctypes.c_void_p)

_CODE = {
    "nothing": "31c0 c3",  # xor eax, eax; ret
    "yes": "b801000000 c3",  # mov eax, 1; ret
}
"""x86-64 code of the replaced functions: they are called from threads that do not know of Python."""

_ANSWERS = {"DeviceType": "yes", "Device": "device", "DeviceIndex": "count", "Stream": "stream"}
"""What functions of the guard answer, by the type of their result: CUDA, the device in use, how many there
are, its stream 0."""

_current = ctypes.c_uint32(_CUDA)
"""A Device in memory: its type in the first byte, its index in the second one."""

_DONE = ("queryStream", "queryEvent")

_HOOKS = {"isBuilt": "yes", "hasCUDA": "yes", "hasPrimaryContext": "yes"}
"""Functions of the hooks that are replaced. Torch 2.4 asks hasCUDA() where later ones ask isBuilt()."""

_kept: list[Any] = []
"""What C++ points to from now on."""


def why_not() -> str:
    """Why tensors cannot be simulated by this torch on this machine; "" when nothing speaks against it."""
    system, machine = platform.system(), platform.machine()
    if sys.platform != "linux" or machine not in ("x86_64", "AMD64"):
        return f"it works on Linux on x86-64 only, this is {system} on {machine}"
    if torch.version.hip is not None:
        return "this torch is built for ROCm"
    if reason := torch_names.lacks(simulated=True):
        return reason
    try:
        hooks, guard = _declared()
        ctypes.c_void_p.in_dll(_library("libc10.so"), _REGISTRY)
        getattr(_library("libtorch_cpu.so"), _GET_HOOKS)
    except (OSError, ValueError, AttributeError, LookupError) as error:
        return f"this torch lacks what it replaces ({error})"
    lacking = {"isBuilt", "hasCUDA"}.isdisjoint(hooks) or "hasPrimaryContext" not in hooks
    if lacking or not {"Device", "Stream", "DeviceIndex"} <= {gives for gives, _ in guard}:
        return "this torch asks for its CUDA devices in another way (its CUDA hooks or device guards are new)"
    size = vtables.entries(ctypes.addressof(ctypes.c_char.in_dll(_library("libtorch_cpu.so"), _HOOKS_TABLE)))
    if size is not None and size != _BEFORE_SLOTS + vtables.length(hooks):
        return "the C++ headers of this torch are not those of its libraries"
    return ""


def install(count: int = 1) -> str:
    """Replace both for the rest of the process; the reason where that is impossible, else "".

    `count` are the devices that there are: the autograd engine has a thread for each.
    """
    reason = why_not()
    if reason:
        return reason
    try:
        code = _code(count)
    except OSError as error:
        return f"this machine lets no process make code at run time ({error.strerror})"
    hooks, guard = _declared()
    _guard(guard, code)
    _hooks(hooks, code)
    return ""


def use(index: int) -> None:
    """Make a device the one that C++ takes for the current one."""
    _current.value = _CUDA | index << 8


def _declared() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """The entries of the CUDA hooks, and the functions of a device guard."""
    base = vtables.functions("ATen/detail/AcceleratorHooksInterface.h", "AcceleratorHooksInterface")
    own = vtables.functions("ATen/detail/CUDAHooksInterface.h", "CUDAHooksInterface")
    guard = vtables.functions("c10/core/impl/DeviceGuardImplInterface.h", "DeviceGuardImplInterface")
    return vtables.slots(base + own), guard


def _library(name: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / name))


def _code(count: int) -> dict[str, int]:
    """The addresses of the replaced functions, by name."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, "not Linux")
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    _kept.append(memory)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    found = {}
    address = ctypes.addressof(_current).to_bytes(8, "little").hex()
    read = f"48b8 {address} 8b00"  # mov rax, address; mov eax, [rax]
    texts = {
        **_CODE,
        "count": f"b8 {count.to_bytes(4, 'little').hex()} c3",  # mov eax, count; ret
        "device": f"{read} c3",
        "stream": f"{read} 31d2 c3",  # its id is in rdx, beside the device
    }
    for name, text in texts.items():
        found[name] = start + memory.tell()
        memory.write(bytes.fromhex(text).ljust(16, b"\xcc"))
    return found


def _guard(functions: list[tuple[str, str]], code: dict[str, int]) -> None:
    entries = vtables.slots(functions)
    length = vtables.length(entries)
    table = (ctypes.c_void_p * length)(*[code["nothing"]] * length)
    for gives, name in functions:
        table[entries[name]] = code["yes" if name in _DONE else _ANSWERS.get(gives, "nothing")]
    guard = ctypes.c_void_p(ctypes.addressof(table))
    registry = (ctypes.c_void_p * (_CUDA + 1)).in_dll(_library("libc10.so"), _REGISTRY)
    registry[_CUDA] = ctypes.addressof(guard)
    _kept.extend((table, guard))


def _hooks(entries: dict[str, int], code: dict[str, int]) -> None:
    get = getattr(_library("libtorch_cpu.so"), _GET_HOOKS)
    get.restype = ctypes.c_void_p
    hooks = ctypes.c_void_p.from_address(get())
    length = _BEFORE_SLOTS + vtables.length(entries)
    plain = (ctypes.c_void_p * length).in_dll(_library("libtorch_cpu.so"), _HOOKS_TABLE)
    table = (ctypes.c_void_p * length)(*plain)
    for name, entry in entries.items():
        # There is no cuDNN: a recurrent layer that asks for its version is taken cell by cell.
        answer = "nothing" if name.startswith("version") else _HOOKS.get(name)
        if answer is not None:
            table[_BEFORE_SLOTS + entry] = code[answer]
    _kept.append(table)
    hooks.value = ctypes.addressof(table) + _BEFORE_SLOTS * _WORD
