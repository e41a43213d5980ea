"""`python -m benchmarks.giants [TREE ...]`: check what is large or odd, for docs/reliability.md.

A TREE is a folder, `stdlib` for this Python's standard library with its tests, `made` for generated giants.
For each tree (each giant) a row: files, lines, seconds of processor time in all and of the slowest file, the
most memory that a process used, and what may not be:

crashes   files with an internal error (MEM004), or whose process died
slow      files that took more than 20 seconds of processor time
alarms    findings above advice in files that import no framework, and so train nothing
          (MEM001, a file that Python cannot read, is none)

Exits with 1 when there is any of these.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.giants.look import Row, look
from benchmarks.giants.made import GIANTS
from memlint.source import files


def row_of(name: str, folder: Path, jobs: int) -> Row:
    """Check every Python file below a folder, in new processes."""
    found = sorted(map(str, _sources(folder)))
    row = Row(name)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        for looked in pool.map(
            look, found, [str(folder)] * len(found), chunksize=1 if len(found) < 100 else 8
        ):
            row.add(looked)
    except Exception as error:
        row.crashes.append(f"{name}: {error!r}")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return row


def _sources(folder: Path) -> Iterator[Path]:
    """All of them, tests and what git ignores too, but not what other people have installed."""
    for path in folder.rglob("*"):
        if path.suffix in files.SUFFIXES and "site-packages" not in path.parts and path.is_file():
            yield path


def _rows(trees: Sequence[str], jobs: int, only: str) -> Iterator[Row]:
    for tree in trees:
        if tree == "made":
            for name, make in GIANTS.items():
                if only not in name:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    for path, text in make().items():
                        (Path(folder) / path).parent.mkdir(exist_ok=True)
                        (Path(folder) / path).write_text(text, encoding="utf-8")
                    yield row_of(name, Path(folder), jobs)
        else:
            folder = Path(sysconfig.get_path("stdlib") if tree == "stdlib" else tree)
            yield row_of("standard library" if tree == "stdlib" else folder.name, folder, jobs)


def main() -> int:
    """Print a row for each tree; 1 when there is a crash, a slow file or an alarm."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="*", metavar="TREE", default=["made", "stdlib"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", metavar="WORDS", help="giants with these words in their name")
    options = parser.parse_args()
    print("| tree | files | lines | findings | seconds | slowest | peak MiB | crashes | slow | alarms |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    failed = False
    for row in _rows(options.trees, options.jobs, options.only):
        print(row, flush=True)
        for trouble in (*row.crashes, *row.slow, *row.alarms):
            failed = True
            print(trouble[:2000], file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
