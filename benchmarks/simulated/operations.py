"""`python -m benchmarks.simulated.operations`: what single operations take, simulated and on a real GPU.

scripts/operations.py calls some 260 operations, each with the same inputs twice, and prints what the second
call took beside what was there. Here it is run once simulated and, with a GPU, once there; without one, what
was measured before stays. Writes docs/simulated-operations.md with the data beside it (.json). Exit code 1
where a case ends otherwise in the simulation than on the GPU, 2 where the script could not be run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from benchmarks.simulated import runs
from benchmarks.simulated.__main__ import ROOT, device_name
from memlint.source.decoding import decode

PAGE = ROOT / "docs" / "simulated-operations.md"
SCRIPT = "operations.py"


@dataclass(frozen=True, slots=True)
class Taken:
    """One case: bytes at most beyond what was there (`first`: in the first call), bytes kept, or why not."""

    peak: int = 0
    kept: int = 0
    first: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """All cases by name; `gpu` is the GPU with its driver, "" where there was none."""

    gpu: str
    simulated_torch: str
    real_torch: str
    simulated: dict[str, Taken] = field(default_factory=dict)
    real: dict[str, Taken] = field(default_factory=dict)


def parsed(printed: str) -> dict[str, Taken]:
    """The cases that the script printed."""
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"case"')]
    return {line.pop("case"): Taken(**line) for line in lines}


def run(gpu: str, earlier: Table | None) -> Table:
    """Run the script, on the GPU beside the simulation where there is one.

    Raises:
        RuntimeError: it did not come to its end; the message is why.
    """
    with ThreadPoolExecutor(2) as pool:
        real = pool.submit(runs.real, SCRIPT) if gpu else None
        simulated = parsed(runs.simulated(SCRIPT).stdout)
        if real is None:
            before = earlier or Table("", "", "")
            return replace(before, simulated_torch=version("torch"), simulated=simulated)
        there = real.result()
        if there.problem:
            raise RuntimeError(there.problem)
        return Table(gpu, version("torch"), there.torch, simulated, parsed(there.printed))


def markdown(table: Table) -> str:
    """The page: totals, then a row for each case."""
    there = f"on {table.gpu} with torch {table.real_torch}" if table.gpu else "no GPU was at hand"
    both = [(table.simulated[n].peak, taken.peak) for n, taken in table.real.items() if not taken.problem]
    same = sum(made == took for made, took in both)
    near = sum(abs(made - took) <= 0.01 * took for made, took in both)
    lines = [
        "# Single operations, simulated and real",
        "",
        "Written by `python -m benchmarks.simulated.operations`: "
        f"simulated with torch {table.simulated_torch}; {there}.",
        "Bytes that one call takes at most beyond what was allocated before it, and the same of the first",
        "call, which makes handles and workspaces that last.",
        "",
        *(
            [f"The peak of {near} of {len(both)} is within 1 %, and of {same} the same to the byte.", ""]
            if both
            else []
        ),
        "| operation | simulated | real | difference | first, simulated | first, real |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, taken in table.simulated.items():
        other = table.real.get(name)
        if taken.problem or (other is not None and other.problem):
            lines.append(
                f"| {name} | {taken.problem or 'ran'} | {other.problem or 'ran' if other else '-'} | | | |"
            )
            continue
        cells = [name, f"{taken.peak:,}"]
        cells += [f"{other.peak:,}", f"{taken.peak - other.peak:+,}"] if other else ["-", "-"]
        cells += [f"{taken.first:,}", f"{other.first:,}" if other else "-"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def read(path: Path) -> Table | None:
    """What was written before, if anything."""
    if not path.exists():
        return None
    found: Table = decode(Table, json.loads(path.read_text(encoding="utf-8")))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run both and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "-o", "--output", type=Path, default=PAGE, help="the page to write; its data beside it"
    )
    parser.add_argument(
        "--resume", action="store_true", help="do nothing where the page is of this GPU and torch"
    )
    chosen = parser.parse_args(arguments)
    gpu = device_name()
    data = chosen.output.with_suffix(".json")
    earlier = read(data)
    if chosen.resume and earlier and (earlier.gpu, earlier.simulated_torch) == (gpu, version("torch")):
        return 0
    if not gpu and earlier:
        runs.simulate_as(earlier.real_torch)
    try:
        table = run(gpu, earlier)
    except RuntimeError as error:
        print(f"not run: {error}", file=sys.stderr)
        return 2
    data.write_text(json.dumps(asdict(table), indent=1) + "\n", encoding="utf-8")
    chosen.output.write_text(markdown(table), encoding="utf-8")
    odd = [
        name
        for name, taken in table.real.items()
        if bool(taken.problem) != bool(table.simulated[name].problem)
    ]
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
