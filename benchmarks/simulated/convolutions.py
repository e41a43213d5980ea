"""`python -m benchmarks.simulated.convolutions`: what convolutions work in, modelled and on a real GPU.

benchmarks/data/convolutions.tsv holds what single convolutions asked torch's allocator for beside what they
gave: forward, for the gradient of the input and for that of the weights, in float32, bfloat16 and float16.
The shapes called "known" were there when the rules were made (memlint.runtime.simulate.scratch.convolutions).
Here the rules are held against all; no GPU is needed. With one, --measure takes the figures again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from memlint.runtime.cards import card_of
from memlint.runtime.simulate.scratch.convolutions import (
    BACKWARD,
    FORWARD,
    LAYOUTS,
    convolution,
    is_channels_last,
)

DATA = Path(__file__).parents[1] / "data" / "convolutions.tsv"
TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
PASSES = ("forward", "input", "weights")
MASKS = (True, False, False), (False, True, False)
"""The gradient of the input alone, and that of the weights."""

SMALL = 1 << 20
"""Bytes that do not matter: torch takes 2 MiB from the GPU at least."""


@dataclass(frozen=True, slots=True)
class Convolution:
    """One shape in one layout, with the bytes of each type and pass where they were measured."""

    origin: str
    images: int
    inside: int
    size: tuple[int, ...]
    outside: int
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int
    transposed: bool
    last: bool
    taken: dict[str, tuple[int, ...]]

    def tensors(self, dtype: torch.dtype, device: str) -> tuple[Any, Any]:
        """Its input and its weights."""
        sides = (self.inside, self.outside) if self.transposed else (self.outside, self.inside)
        form = LAYOUTS[len(self.size) + 2] if self.last else torch.contiguous_format
        x = torch.empty(self.images, self.inside, *self.size, dtype=dtype, device=device)
        weights = torch.empty(sides[0], sides[1] // self.groups, *self.kernel, dtype=dtype, device=device)
        return x.to(memory_format=form), weights.to(memory_format=form)

    def options(self) -> tuple[Any, ...]:
        """Stride and all that follows, as torch's operators take them."""
        none = (0,) * len(self.size)
        return self.stride, self.padding, self.dilation, self.transposed, none, self.groups

    def line(self) -> str:
        """Its line of the file."""
        shape = [self.images, self.inside, self.size, self.outside, self.kernel, self.stride, self.padding]
        shape += [self.dilation, self.groups, int(self.transposed), int(self.last)]
        cells = ["x".join(map(str, cell)) if isinstance(cell, tuple) else str(cell) for cell in shape]
        taken = (self.taken.get(name, ("",) * len(PASSES)) for name in TYPES)
        return "\t".join([self.origin, *cells, *(str(size) for sizes in taken for size in sizes)])


def parsed(line: str) -> Convolution:
    """A line of the file."""
    origin, *cells = line.split("\t")
    n, ci, size, co, kernel, stride, padding, dilation, groups, transposed, last = (
        tuple(map(int, cell.split("x"))) for cell in cells[:11]
    )
    parts = {name: cells[11 + 3 * at : 14 + 3 * at] for at, name in enumerate(TYPES)}
    taken = {name: tuple(map(int, sizes)) for name, sizes in parts.items() if all(sizes)}
    return Convolution(
        origin, n[0], ci[0], size, co[0], kernel, stride, padding, dilation, groups[0],
        bool(transposed[0]), bool(last[0]), taken,
    )  # fmt: skip


def read(path: Path = DATA) -> tuple[str, list[Convolution]]:
    """Where it was measured, and everything that was."""
    where, _, *lines = path.read_text(encoding="utf-8").splitlines()
    return where, [parsed(line) for line in lines]


def write(where: str, found: Iterable[Convolution], path: Path = DATA) -> None:
    """Save the file, with the names of its columns."""
    shape = "origin images inside size outside kernel stride padding dilation groups transposed last".split()
    names = [*shape, *(f"{name} {each}" for name in TYPES for each in PASSES)]
    lines = [where, "\t".join(names), *(each.line() for each in found)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- the rules ----------------------------------------------------------------------------------------


def modelled(shape: Convolution, name: str) -> tuple[tuple[int, ...], int]:
    """What the rules say for each pass, and the bytes of input, weights and output together."""
    card = card_of("H200")
    x, weights = shape.tensors(TYPES[name], "meta")
    y = torch.ops.aten.convolution(x, weights, None, *shape.options())
    if is_channels_last(x) or is_channels_last(weights):
        y = y.to(memory_format=LAYOUTS[y.dim()])
    forward = convolution(card, FORWARD, (x, weights, None, *shape.options()), y)
    given = (y, x, weights, None, *shape.options())
    rounds = (forward, *(convolution(card, BACKWARD, (*given, mask), None) for mask in MASKS))
    sizes = tuple(max((sum(sizes) for sizes in each), default=0) for each in rounds)
    return sizes, sum(each.numel() * each.itemsize for each in (x, weights, y))


@dataclass(slots=True)
class Score:
    """Of some cells: how many are met, and bytes in all."""

    cells: int = 0
    within_1: int = 0
    within_10: int = 0
    taken: int = 0
    said: int = 0
    off: int = 0

    def add(self, said: int, taken: int, tensors: int) -> None:
        """Count a cell: how far its peak is met, which is what it takes beside its tensors."""
        away = abs(said - taken)
        self.cells += 1
        self.within_1 += away <= max(0.01 * (tensors + taken), SMALL)
        self.within_10 += away <= max(0.1 * (tensors + taken), SMALL)
        self.taken += taken
        self.said += said
        self.off += away

    def row(self) -> str:
        """Its cells of the table."""
        shares = [f"{100 * share / self.cells:.0f} %" for share in (self.within_1, self.within_10)]
        gigabytes = [f"{size / 1e9:.1f}" for size in (self.taken, self.said, self.off)]
        return " | ".join([str(self.cells), *shares, *gigabytes])


def scores(found: Iterable[Convolution]) -> dict[tuple[str, str, str, str], Score]:
    """By origin, type, layout and pass."""
    made: dict[tuple[str, str, str, str], Score] = {}
    for shape in found:
        for name in shape.taken:
            said, tensors = modelled(shape, name)
            layout = "channels last" if shape.last else "contiguous"
            for each, one, real in zip(PASSES, said, shape.taken[name], strict=True):
                made.setdefault((shape.origin, name, layout, each), Score()).add(one, real, tensors)
    return made


def table(found: Iterable[Convolution]) -> list[str]:
    """Lines of Markdown: a row for each origin, type, layout and pass, and one for each origin."""
    made = scores(found)
    head = ["shapes", "type", "layout", "pass", "cells", "peak within 1 %", "within 10 %", "GB taken", "said"]
    lines = [f"| {' | '.join(head)} | off |", "|---|---|---|---|--:|--:|--:|--:|--:|--:|"]
    for origin in dict.fromkeys(key[0] for key in made):
        whole = Score()
        for key, score in made.items():
            if key[0] == origin:
                lines.append(f"| {' | '.join(key)} | {score.row()} |")
                for name in Score.__slots__:
                    setattr(whole, name, getattr(whole, name) + getattr(score, name))
        lines.append(f"| {origin} | all | | | {whole.row()} |")
    return lines


# --- the GPU ------------------------------------------------------------------------------------------


def _asked(run: Any) -> int:
    """Bytes that a call has at most beside what it gives."""
    memory: Any = torch.cuda.memory
    torch.cuda.synchronize()
    memory._record_memory_history(enabled="all", context=None, max_entries=2000)
    given = run()
    torch.cuda.synchronize()
    events = memory._snapshot()["device_traces"][0]
    memory._record_memory_history(enabled=None)
    kept = sum(
        each.numel() * each.itemsize
        for each in (given if isinstance(given, tuple) else (given,))
        if each is not None
    )
    there = most = 0
    for event in events:
        there += {"alloc": event["size"], "free_requested": -event["size"]}.get(event["action"], 0)
        most = max(most, there)
    return int(most - kept)


def measured(shape: Convolution) -> Convolution:
    """The shape with what it took on the GPU at hand."""
    taken = {}
    for name, dtype in TYPES.items():
        x, weights = shape.tensors(dtype, "cuda")
        y = torch.ops.aten.convolution(x, weights, None, *shape.options())
        sizes = [_asked(lambda x=x, w=weights: torch.ops.aten.convolution(x, w, None, *shape.options()))]
        for mask in MASKS:
            given = (y, x, weights, None, *shape.options(), mask)
            sizes.append(_asked(lambda given=given: torch.ops.aten.convolution_backward(*given)))
        taken[name] = tuple(sizes)
        del x, weights, y
    torch.cuda.empty_cache()
    return replace(shape, taken=taken)


def device() -> str:
    """The GPU with torch and cuDNN."""
    cudnn: Any = torch.backends.cudnn
    return f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, cuDNN {cudnn.version()}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, after measuring where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="take all figures of the file again")
    parser.add_argument("--data", type=Path, default=DATA, help="the file")
    chosen = parser.parse_args(arguments)
    where, found = read(chosen.data)
    if chosen.measure:
        if not torch.cuda.is_available():
            parser.error("there is no GPU here")
        where, found = device(), [measured(shape) for shape in found]
        write(where, found, chosen.data)
    print(f"Measured on {where}.", "", *table(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
