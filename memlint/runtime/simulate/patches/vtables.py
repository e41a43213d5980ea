"""Where torch's virtual functions lie in their tables, read from the C++ headers that every wheel carries.

A virtual table has one entry per function in the order in which classes declare them (Itanium C++ ABI, 2.5):
two for a destructor, those of the base first; a function that overrides another one takes its entry.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import torch

_INCLUDE = Path(torch.__file__).parent / "include"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ROCM = re.compile(r"^#\s*if(?:def)?\b[^\n]*USE_ROCM.*?^#\s*endif[^\n]*", re.DOTALL | re.MULTILINE)
_DIRECTIVE = re.compile(r"^\s*#[^\n]*", re.MULTILINE)
_FUNCTION = re.compile(r"virtual\s+(?P<gives>[\w:&*<>\s]*?)\s*(?P<name>~?\w+)\s*\(")


def functions(header: str, structure: str) -> list[tuple[str, str]]:
    """The virtual functions that a struct of a header declares, in order, as type of the result and name.

    `header` is relative to torch's folder of headers. Raises OSError where it is not there, and LookupError
    where it declares no such struct.
    """
    text = (_INCLUDE / header).read_text(encoding="utf-8")
    text = _DIRECTIVE.sub("", _ROCM.sub("", _COMMENT.sub(" ", text)))
    found = re.search(rf"\bstruct\s+(?:\w+\s+)?{structure}\b[^;{{]*\{{", text)
    if found is None:
        raise LookupError(f"{header} declares no struct {structure}")
    body = _without_bodies(text[found.end() :])
    return [(" ".join(match["gives"].split()), match["name"]) for match in _FUNCTION.finditer(body)]


def _without_bodies(text: str) -> str:
    """What lies between the braces of a struct, but for the bodies of its functions."""
    depth, kept = 1, []
    for part in re.split(r"([{}])", text):
        depth += (part == "{") - (part == "}")
        if not depth:
            break
        if depth == 1:
            kept.append(part)
    return " ".join(kept)


def length(entries: dict[str, int]) -> int:
    """How many entries there are from the first function to the end of the table."""
    last = max(entries, key=lambda name: entries[name])
    return entries[last] + (2 if last.startswith("~") else 1)


class _Symbol(ctypes.Structure):
    """Elf64_Sym."""

    _fields_ = [
        ("name", ctypes.c_uint32), ("info", ctypes.c_uint8), ("other", ctypes.c_uint8),
        ("section", ctypes.c_uint16), ("value", ctypes.c_uint64), ("size", ctypes.c_uint64),
    ]  # fmt: skip


_SYMBOL_ENTRY = 1
"""RTLD_DL_SYMENT."""


def entries(table: int) -> int | None:
    """How many words the table at an address has, by the library's symbols; None where nobody can say."""
    ask = getattr(ctypes.CDLL(None), "dladdr1", None)
    names, symbol = (ctypes.c_void_p * 4)(), ctypes.POINTER(_Symbol)()
    if ask is None or not ask(ctypes.c_void_p(table), names, ctypes.byref(symbol), _SYMBOL_ENTRY):
        return None
    return int(symbol.contents.size) // ctypes.sizeof(ctypes.c_void_p) if symbol else None


def slots(declared: list[tuple[str, str]]) -> dict[str, int]:
    """The entry of each function, by its name."""
    found: dict[str, int] = {}
    entry = 0
    for _, name in declared:
        if name not in found:
            found[name] = entry
            entry += 2 if name.startswith("~") else 1
    return found
