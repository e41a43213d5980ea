"""How libcst is imported in a process of memlint's own: without methods that nobody calls.

Half of that import is the standard decorator, which compiles five methods for each of the node classes. Two
of them, to print and to compare nodes, it throws away, as the classes have their own; two more refuse to
change a node, which memlint's code never asks of one.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

_WRITTEN = frozenset({"__eq__", "__hash__", "__repr__"})
"""What the class of a node has written itself."""

_LEFT_OUT = {"frozen": False, "repr": False, "eq": False}

alone = False
"""Whether the process is memlint's own, so that no other code can come upon these classes."""


def import_libcst() -> None:
    """Import libcst, in the quicker way where the process is memlint's own and nothing has imported it."""
    if not alone or "libcst" in sys.modules:
        return
    import dataclasses

    standard = dataclasses.dataclass

    def lean(cls: type | None = None, /, **options: Any) -> Callable[[type], type] | type:
        def decorate(made: type) -> type:
            is_node = vars(made).keys() >= _WRITTEN
            return standard(**options | (_LEFT_OUT if is_node else {}))(made)

        return decorate if cls is None else decorate(cls)

    dataclasses.dataclass = lean  # type: ignore[assignment]
    try:
        importlib.import_module("libcst")
    finally:
        dataclasses.dataclass = standard
