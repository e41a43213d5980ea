"""`python -m benchmarks.ecosystem.fixes FOLDER...`: what the fixes of memlint would do to published code.

Each folder is checked with all rules, tests included. Without `--diffs` the kinds of fixes are counted, all
of them are applied to a copy, and what does not compile there or is changed by a second pass is named (exit
code 1). With `--diffs CODE` the fixes of a rule are printed one by one, to be read.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from memlint.finding import Edit, Span
from memlint.source.text import apply_edits

_CHECK = [sys.executable, "-m", "memlint", "check", "--isolated", "--no-cache", "--select", "ALL", "--advice"]
_FIX = [*_CHECK, "--check-tests", "--fix-only", "--unsafe-fixes", "-q"]

Kind = tuple[str, str, str]
"""Code, applicability and title of a fix, the code in the title left out."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ecosystem.fixes", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--diffs", metavar="CODE", help="print the fixes of this rule as diffs")
    options = parser.parse_args(arguments)
    kinds: Counter[Kind] = Counter()
    problems: list[str] = []
    for folder in options.folders:
        found = list(fixed_findings(folder))
        if options.diffs:
            for finding in found:
                if finding["code"] == options.diffs:
                    print(*diff(finding), sep="")
            continue
        kinds.update(map(kind, found))
        problems += faults(folder, {Path(finding["path"]) for finding in found})
    for (code, applicability, title), count in sorted(kinds.items()):
        print(code, applicability, title, count, sep="\t")
    print(*problems, sep="\n", end="\n" if problems else "")
    return int(bool(problems))


def fixed_findings(folder: Path) -> Iterator[dict[str, Any]]:
    """The findings in a folder that have a fix, secondary ones included, as the JSON report has them."""
    command = [*_CHECK, "--check-tests", "--output-format", "json", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    pending = json.loads(done.stdout)["findings"]
    while pending:
        finding = pending.pop(0)
        pending = [*finding.get("secondary", ()), *pending]
        if finding.get("fix") and finding["fix"]["edits"]:
            yield finding


def kind(finding: dict[str, Any]) -> Kind:
    """The kind of a finding's fix."""
    fix = finding["fix"]
    return finding["code"], fix["applicability"], re.sub(r"`[^`]*`", "`...`", fix["title"])


def diff(finding: dict[str, Any]) -> list[str]:
    """The fix of a finding in a script as a diff; of one in a notebook only where it is."""
    path = Path(finding["path"])
    head = f"# {path}:{finding['line']} {finding['code']} {' '.join(kind(finding)[1:])}\n"
    if finding["cell"] is not None:
        return [head]
    old = path.read_bytes().decode("utf-8", "surrogateescape")
    edits = [
        Edit(Span(e["line"], e["column"], e["end_line"], e["end_column"]), e["text"])
        for e in finding["fix"]["edits"]
    ]
    new = apply_edits(old, edits)
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), n=3)
    return [head, *list(lines)[2:]]


def faults(folder: Path, paths: Collection[Path]) -> list[str]:
    """What is wrong with a copy of a folder to which all fixes were applied, a line for each file.

    Of the copy only the files with fixes, at these paths in the folder, are checked again, and then those
    that were changed; what they import is read as ever.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(folder, Path(place) / folder.name))
        once = _applied(sorted(copy / path.resolve().relative_to(folder.resolve()) for path in paths))
        texts = {path: path.read_bytes() for path in once}
        scripts = [path for path in once if path.suffix == ".py" and not _compiles(texts[path])]
        # What is written for a newer Python does not compile before its fixes either.
        broken = [path for path in scripts if _compiles((folder / path.relative_to(copy)).read_bytes())]
        again = _applied(once)
        return [
            *(f"{path.relative_to(copy.parent)}: does not compile after its fixes" for path in broken),
            *(f"{path.relative_to(copy.parent)}: is changed by a second pass" for path in again),
        ]


def _applied(paths: Sequence[Path]) -> list[Path]:
    """Those of some files that applying all fixes changes."""
    before = {path: path.read_bytes() for path in paths}
    if before:
        subprocess.run([*_FIX, *map(str, paths)], capture_output=True, check=False)
    return sorted(path for path, text in before.items() if path.read_bytes() != text)


def _compiles(text: bytes) -> bool:
    try:
        compile(text, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
