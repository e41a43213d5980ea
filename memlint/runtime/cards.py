"""GPUs by name: what a simulation and `memlint fit` have to know of them, from the table in cards.toml."""

from __future__ import annotations

import difflib
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlint.errors import UsageError
from memlint.units import UNITS, size

MIB = 1 << 20
UNNAMED = "simulated GPU"

_SIZE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([A-Za-z]*)")
_FACTORS = {
    **{unit.lower(): factor for unit, factor in UNITS},
    **{unit[0].lower(): factor for unit, factor in UNITS},
    "tb": 10**12, "gb": 10**9, "mb": 10**6, "kb": 10**3, "b": 1, "": 1 << 30,
}  # fmt: skip


Device = tuple[int, tuple[int, int], int]
"""Bytes that torch's allocator can get (0: no end), the compute capability, and the multiprocessors."""


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU. Sizes are in bytes.

    `name` is what `--card` calls it, "" for one of which only the size was given; `title` is what
    `torch.cuda.get_device_name` says. `total` is what the driver lets programs use, the least that was seen,
    `total_most` the most. `context_least` and `context_most` are what a process holds beside torch's
    allocator. `capability` is the compute capability, `processors` the number of its multiprocessors.
    """

    name: str
    title: str
    total: int
    total_most: int
    capability: tuple[int, int]
    processors: int
    context_least: int
    context_most: int

    @property
    def context(self) -> int:
        """Bytes beside torch's allocator in the middle of what was seen."""
        return (self.context_least + self.context_most) // 2

    @property
    def usable(self) -> int:
        """Bytes that torch's allocator can get of an otherwise empty card."""
        return self.total - self.context

    @property
    def in_words(self) -> str:
        """The card for a sentence."""
        major, minor = self.capability
        has = size(self.total)
        if self.name:
            return f"{self.title} (compute capability {major}.{minor}, {has})"
        return f"one GPU of compute capability {major}.{minor} with {has}"


MODELS = 1000
"""Numbers without a unit from which they are taken for a model ("3080"), not for GiB."""


@functools.cache
def known() -> tuple[Card, ...]:
    """All cards of the table, in its order."""
    import tomli

    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return tuple(_card(row) for row in tomli.loads(text)["card"])


def _card(row: dict[str, Any]) -> Card:
    least, most = (count * MIB for count in row["total-mib"])
    context = [count * MIB for count in row["context-mib"]]
    major, minor = row["capability"]
    return Card(row["name"], row["title"], least, most, (major, minor), row["processors"], *context)


def of_size(total: int, *, bare: bool = False) -> Card:
    """A card of which only the size is known: of compute capability 9.0, with any context that was seen.

    A `bare` one gives all of it to torch's allocator.
    """
    least, most = (0, 0) if bare else _contexts()
    return Card("", UNNAMED, total, total, (9, 0), 132, least, most)


@functools.cache
def _contexts() -> tuple[int, int]:
    return min(card.context_least for card in known()), max(card.context_most for card in known())


def card_of(text: str) -> Card:
    """The card that a name ("A100-80GB", "rtx 4090") or a size ("24GiB") means.

    Raises:
        UsageError: it is neither.
    """
    if card := _named(text):
        return card
    a_model = text.strip().isdecimal() and int(text) >= MODELS
    if (total := size_of(text)) is not None and not a_model:
        return of_size(total)
    names = [card.name for card in known()]
    # "a100" names a model of which there are several sizes.
    longer = [name for name in names if _plain(text) and _plain(name).startswith(_plain(text))]
    close = longer or difflib.get_close_matches(text.upper(), names, 1, 0.5)
    if (match := _SIZE.fullmatch(text.strip())) and not float(match[1]):
        hint = "give the memory of yours: 12GiB"
    elif close:
        hint = f"did you mean {' or '.join(close)}? For any other card, give its memory: 12GiB"
    else:
        hint = f"one of {', '.join(names)}, or its memory, such as 12GiB"
    raise UsageError(f"no card called {text!r} is known", hint)


def _named(text: str) -> Card | None:
    wanted = _plain(text)
    found = [card for card in known() if wanted in (_plain(card.name), _plain(card.title))]
    return found[0] if found else None


def _plain(name: str) -> str:
    return re.sub(r"nvidia|geforce|tesla|rtx|[^a-z0-9]", "", name.lower())


def answer(card: Card, question: str) -> object:
    """What a card answers: to "at least 8.0", "capability", "multiprocessors", "size" (in bytes)."""
    if question.startswith("at least "):
        major, _, minor = question.removeprefix("at least ").partition(".")
        return card.capability >= (int(major), int(minor))
    if question == "multiprocessors":
        return card.processors
    return card.capability if question == "capability" else card.total


def size_of(text: str) -> int | None:
    """Bytes of a size: "24GiB", "24 GB" (of 10**9 bytes), "24" (GiB); None for anything else."""
    match = _SIZE.fullmatch(text.strip())
    factor = _FACTORS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        return None
    count = int(float(match[1]) * factor)
    return count if 0 < count < 1 << 62 else None
