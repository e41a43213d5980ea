"""The examples of a rule file: scripts that show what the rule reports and what it leaves alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, overload

from memlint.finding import Applicability
from memlint.records import dataclass

IMPORTS = {
    "deque": "from collections import deque", "functools": "import functools",
    "itertools": "import itertools", "json": "import json", "os": "import os", "random": "import random",
    "keras": "import keras",
    "L": "import lightning as L", "np": "import numpy as np", "tf": "import tensorflow as tf",
    "torch": "import torch", "dist": "import torch.distributed as dist",
    "F": "import torch.nn.functional as F", "nn": "from torch import nn", "torchvision": "import torchvision",
}  # fmt: skip
"""What a script of a rule file need not import itself, by the name that it uses, in the order of imports."""
DATA = ("DataLoader", "Dataset", "IterableDataset", "TensorDataset")
"""The same for names of torch.utils.data."""
MARK = re.compile(r"[ \t]*#! ([A-Z]+\d+)(?: (error|warning|advice))?[ \t]*$")
"""Ends a line that a rule must report, with its severity where that matters."""
_NAME = re.compile(r"(?<![\w.\"'])[A-Za-z]+(?=[.()])")
_MARK = re.compile(r"[ \t]*#! [A-Z]+\d+.*")


@dataclass(frozen=True, slots=True)
class Example:
    """A script that shows what a rule reports or leaves alone: `#! CODE` marks each line to be reported.

    `fixed` is the text after the fixes up to `fix` ("safe" or "unsafe") were applied; None when the
    example is not about the fix.
    """

    code: str
    title: str = ""
    fixed: str | None = None
    fix: str = "safe"


class ReadLater(Sequence[Example]):
    """Examples that `read` gives, asked for when somebody looks at them."""

    def __init__(self, read: Callable[[], tuple[Example, ...]]) -> None:
        self._read = read

    @cached_property
    def _all(self) -> tuple[Example, ...]:
        return self._read()

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, index: int) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Example, ...]: ...
    def __getitem__(self, index: int | slice) -> Example | tuple[Example, ...]:
        return self._all[index]


def read(table: dict[str, Any], data: dict[str, Any]) -> tuple[Example, ...]:
    """The entries of [bad] or [good]; `data` is the whole rule file.

    They are `"title" = code`, or `"title" = {fix = "unsafe", code = ...}` where the rule has safe fixes too.
    Code in which lines start with `-` or `+` is a diff: the former are what the fix takes out, the latter
    what it puts in. Code without an import gets those of the well-known names that it uses.
    """
    if not isinstance(table, dict):
        raise TypeError('examples are `"title" = script` below [bad] and [good], see docs/contributing.md')
    examples = []
    for title, value in table.items():
        entry = value if isinstance(value, dict) else {"code": value}
        # A rule of a pack has no frameworks: nobody can know what its scripts are to import.
        whole = _with_imports(entry["code"], data["frameworks"]) if "frameworks" in data else entry["code"]
        lines = whole.splitlines(keepends=True)
        code = "".join(line.removeprefix("-") for line in lines if not line.startswith("+"))
        if not any(line.startswith(("-", "+")) for line in lines):
            examples.append(Example(code, title))
            continue
        fixed = "".join(line.removeprefix("+") for line in lines if not line.startswith("-"))
        applied = entry.get("fix", "unsafe" if data["fix"] == Applicability.UNSAFE else "safe")
        examples.append(Example(code, title, _MARK.sub("", fixed), applied))
    return tuple(examples)


def _with_imports(code: str, frameworks: Sequence[str]) -> str:
    if "import " in code:
        return code
    used = set(_NAME.findall(code))
    lines = [text for name, text in IMPORTS.items() if name in used]
    if data := [name for name in DATA if name in used]:
        lines.append(f"from torch.utils.data import {', '.join(data)}")
    lines = lines or [IMPORTS["tf" if "tensorflow" in frameworks else "torch"]]
    return "\n".join((*lines, "", code))
