"""`python -m benchmarks.published`: memory that others measured on real GPUs, beside what is simulated.

runs.toml lists the runs: source, configuration, figures, and the versions of the libraries. Each is a script
of our own that is replayed on the simulated card. Environments with old libraries are made below .benchmarks/
on first use; nothing else is downloaded, weights are random. With --only the chosen rows are simulated again
and the others stay. Exit code 2 when a run could not be simulated.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from benchmarks.published import environments, simulate, table
from benchmarks.published.rows import Book, Run, Simulated, load

PAGE = environments.ROOT / "docs" / "published-peaks.md"
SUMMARIES = (environments.ROOT / "README.md", environments.ROOT / "docs" / "simulation.md")


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="a run, or what its name begins with")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at the same time (1)")
    parser.add_argument("--missing", action="store_true", help="only runs that have no row yet")
    parser.add_argument("--list", action="store_true", help="name the runs and end")
    parser.add_argument("--page", action="store_true", help="write the page again from its data, and end")
    return parser


def chosen(book: Book, wanted: Sequence[str] | None, done: Sequence[str]) -> list[Run]:
    """The runs that are asked for, but for those in `done`."""
    runs = [run for run in book.runs if not wanted or any(run.name.startswith(name) for name in wanted)]
    return [run for run in runs if run.name not in done]


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate the chosen runs; the page is written again after each."""
    parser = options()
    asked = parser.parse_args(arguments)
    book, found = load(), table.read(PAGE.with_suffix(".json"))
    names = {run.name for run in book.runs}
    found = replace(found, rows={name: row for name, row in found.rows.items() if name in names}, problems={})
    runs = chosen(book, asked.only, list(found.rows) if asked.missing else ())
    if asked.list:
        print("\n".join(run.name for run in runs))
        return 0
    if not runs and not asked.page and not asked.missing:
        parser.error("no such run")
    pythons = {}
    for name in () if asked.page else dict.fromkeys(run.packages for run in runs):
        pythons[name] = environments.python(name, book.environments[name])
    with ThreadPoolExecutor(max(1, asked.jobs)) as pool:
        jobs = [] if asked.page else [pool.submit(_one, run, pythons[run.packages]) for run in runs]
        for job in jobs:
            name, row, problem = job.result()
            if row is not None:
                found.rows[name] = row
            else:
                found.problems[name] = problem
            print(f"{name}: {row or problem}", file=sys.stderr, flush=True)
            _write(book, found)
    _write(book, found)
    print(table.summary(book, found))
    return 2 if found.problems else 0


def _write(book: Book, found: table.Results) -> None:
    table.write(book, found, PAGE, [path for path in SUMMARIES if path.exists()])


def _one(run: Run, python: Path) -> tuple[str, Simulated | None, str]:
    try:
        return run.name, simulate.simulate(run, python), ""
    except RuntimeError as error:
        return run.name, None, str(error)


if __name__ == "__main__":
    sys.exit(main())
