"""`python -m benchmarks.ecosystem`: lint pinned packages and compare with what was reviewed.

A file that memlint cannot check (this Python cannot parse it, it is in no encoding, memlint itself fails) is
named, counted as such, and passed over. Exit code 1 when a count differs from the committed one or an
error or warning was never judged, 2 when the job cannot be done. The package index is the one that pip is
set up for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.ecosystem.packages import Linted, Package, linted, pinned, unpacked
from benchmarks.ecosystem.review import (
    as_json,
    counted,
    differences,
    extent,
    from_json,
    judgements,
    rendered,
    table,
)
from memlint.errors import MemlintError, UsageError

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "benchmarks" / "data"
PINS = DATA / "ecosystem.toml"
COUNTS = DATA / "ecosystem.json"
REVIEW = DATA / "ecosystem-review.tsv"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    try:
        return _run(_parser().parse_args(arguments))
    except (MemlintError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    reviewed = judgements(REVIEW.read_text(encoding="utf-8"))
    counts = from_json(COUNTS.read_text(encoding="utf-8"))
    if options.table:
        print(f"{extent(counts)}\n\n{rendered(table(counts, reviewed))}", end="")
        return 0
    pins = pinned(PINS)
    now = _all_linted(_chosen(pins, options.only), options.cache, options.jobs)
    places = [place for linted in now.values() for place in linted.places]
    if options.list:
        for place in places:
            print(*place.key, place.message, sep="\t")
    if options.update:
        counts |= {name: counted(linted) for name, linted in now.items()}
        COUNTS.write_text(
            as_json({p.name: counts[p.name] for p in pins if p.name in counts}), encoding="utf-8"
        )
        return 0
    changes = differences(counts, now, reviewed)
    print("\n".join(changes or [f"{len(places)} findings in {len(now)} packages, all as reviewed"]))
    return int(bool(changes))


def _chosen(pins: Sequence[Package], names: Sequence[str] | None) -> list[Package]:
    unknown = set(names or ()).difference(package.name for package in pins)
    if unknown:
        known = ", ".join(package.name for package in pins)
        raise UsageError(f"no package {', '.join(sorted(unknown))}", f"there are: {known}")
    return [package for package in pins if not names or package.name in names]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ecosystem", description=__doc__)
    parser.add_argument(
        "--cache", type=Path, default=ROOT / ".benchmarks" / "ecosystem", help="where archives are kept"
    )
    parser.add_argument("--only", nargs="+", metavar="PACKAGE", help="these of the packages")
    parser.add_argument("-j", "--jobs", type=int, default=0, help="processes (default: one for each core)")
    parser.add_argument("--list", action="store_true", help="print every finding, tab-separated")
    parser.add_argument("--update", action="store_true", help="rewrite the committed counts")
    parser.add_argument("--table", action="store_true", help="print the table of the review; lints nothing")
    return parser


def _all_linted(packages: Sequence[Package], cache: Path, jobs: int) -> dict[str, Linted]:
    """What is found in each package, by its name; the files that cannot be checked are named on stderr."""
    found: dict[str, Linted] = {}
    cache.mkdir(parents=True, exist_ok=True)
    for package in packages:
        print(f"{package.name} {package.version} ...", file=sys.stderr)
        found[package.name] = linted(package, unpacked(package, cache), jobs)
        for problem in found[package.name].unchecked:
            print(f"not checked: {package.name}/{problem}", file=sys.stderr)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
