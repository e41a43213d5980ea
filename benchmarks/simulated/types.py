"""`python -m benchmarks.simulated.types`: which types calls take, simulated and on a real GPU.

benchmarks/data/types.tsv holds calls of tensors with mixed and with unusual types, and what each said on the
GPU that is named there: "ran", or the beginning of its error. Here they are made on a simulated one, and
those that come out otherwise are printed: what an error says is not compared. With --measure they are made on
this machine's GPU, and the file is written again.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.simulated import runs

DATA = Path(__file__).parents[1] / "data" / "types.tsv"
RAN = "ran"
LONGEST = 110
"""Characters that are kept of what an error says."""

SCRIPT = """
import sys, torch
from torch.nn import functional as F

def mixed(function):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return function()

def said(call):
    half = torch.zeros(4, 4, dtype=torch.bfloat16, device="cuda")
    full = torch.ones(4, 4, device="cuda")
    rows = torch.tensor([0, 1, 2, 3], device="cuda")
    whole = torch.zeros(4, 4, dtype=torch.long, device="cuda")
    mask = torch.ones(4, 4, dtype=torch.bool, device="cuda")
    try:
        eval(call, {**globals(), **locals()})
    except Exception as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return "ran"

calls, results = sys.argv[1:]
with open(calls) as given, open(results, "w") as file:
    for call in given:
        print(said(call.strip()), file=file)
"""


def read(path: Path = DATA) -> tuple[str, dict[str, str]]:
    """The GPU on which calls were made, and what each said."""
    with path.open(encoding="utf-8", newline="") as file:
        where = next(file).strip()
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return where, {row["call"]: row["said"] for row in rows}


def simulated(calls: Sequence[str]) -> list[str]:
    """What calls say on a simulated GPU.

    Raises:
        RuntimeError: the simulation ended before all were made; the message is why.
    """

    def run(script: Path, arguments: Sequence[str]) -> None:
        runs.simulated_file(script, arguments, contained=False)

    return _made(calls, run)


def real(calls: Sequence[str]) -> list[str]:
    """What calls say on the GPU of this machine."""

    def run(script: Path, arguments: Sequence[str]) -> None:
        subprocess.run([sys.executable, str(script), *arguments], check=True)

    return _made(calls, run)


def _made(calls: Sequence[str], run: Callable[[Path, Sequence[str]], None]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        script, given, results = (Path(folder, name) for name in ("script.py", "calls.txt", "results.txt"))
        script.write_text(SCRIPT, encoding="utf-8")
        given.write_text("\n".join(calls) + "\n", encoding="utf-8")
        run(script, (str(given), str(results)))
        return [line[:LONGEST] for line in results.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="make the calls on this machine's GPU")
    chosen = parser.parse_args(arguments)
    where, known = read()
    if chosen.measure:
        import torch

        where = f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}"
        rows = [f"{call}\t{said}" for call, said in zip(known, real(list(known)), strict=True)]
        DATA.write_text("\n".join([where, "call\tsaid", *rows]) + "\n", encoding="utf-8")
        return 0
    found = dict(zip(known, simulated(list(known)), strict=True))
    other = [call for call, said in known.items() if (said == RAN) != (found[call] == RAN)]
    for call in other:
        print(f"{call}\n  real:      {known[call]}\n  simulated: {found[call]}")
    print(f"{len(known) - len(other)} of {len(known)} calls run or fail as on {where}")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
