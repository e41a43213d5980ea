"""`python -m benchmarks.evidence`: replay the scripts and write the table of verdicts.

The first line of each script names the claim and the verdict that the measured facts of the rule
catalogue lead one to expect; 1 when a measurement disagrees. On a machine with a CUDA device the same
command measures there.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlint.report.session_text import measured
from memlint.session import Judged, Session, from_json

SCRIPTS = Path(__file__).with_name("scripts")
EXPECTED = re.compile(r"# claim: (\S+), expected: (\w+) \((.*)\)")
ROW = re.compile(r"^\| (\w+_\w+) \|.*$", re.MULTILINE)
OKAY = (0, 1, 3)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    script: str
    claim: str
    formula: str
    judged: Judged | None
    expected: str

    @property
    def status(self) -> str:
        """The verdict, or that there was no finding to judge."""
        return self.judged.verdict.status if self.judged is not None else "no finding"


def replay(path: Path, device: str) -> Session:
    """Replay one script in its own process.

    Raises:
        RuntimeError: memlint could not do it.
    """
    code = path.stem.partition("_")[0]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        command = [sys.executable, "-m", "memlint", "replay", "--isolated", "-q", "--select", code]
        command += ["--device", device, "-o", str(output), path.name]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True)
        if done.returncode not in OKAY:
            raise RuntimeError(f"{path.name}: {done.stderr.strip()}")
        return from_json(output.read_text(encoding="utf-8"), output.name)


def row(path: Path, session: Session) -> Row:
    """The line of the table for one replayed script."""
    head = EXPECTED.match(path.read_text(encoding="utf-8"))
    if head is None:
        raise ValueError(f"{path.name}: the first line must say claim and expected verdict")
    wanted = [j for j in session.findings if _claim(j).get("type") == head[1]]
    found = max(wanted, key=lambda j: j.verdict.status == head[2], default=None)
    formula = str(_claim(found).get("formula", "")) if found is not None else ""
    return Row(path.stem, head[1], formula, found, head[2])


def _claim(judged: Judged) -> dict[str, Any]:
    return judged.finding["claim"] or {}


def table(rows: list[Row], session: Session) -> str:
    """The rows as Markdown, with where they were measured."""
    there = session.environment
    lines = [
        "# What the rules predict, and what was measured",
        "",
        f"Written by `python -m benchmarks.evidence` on {there.device_name} ({there.device}), "
        f"torch {there.torch}, Python {there.python}.",
        "Bytes are exact for tensors; host memory and times vary a little from machine to machine.",
        "",
        "| script | claim | predicted | measured | verdict | reason |",
        "|---|---|---|---|---|---|",
    ]
    for entry in rows:
        verdict = entry.judged.verdict if entry.judged is not None else None
        cells = (
            entry.script,
            entry.claim,
            entry.formula,
            measured(verdict) if verdict is not None else "-",
            entry.status,
            verdict.reason if verdict is not None else "",
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def merged(text: str, earlier: str) -> str:
    """The table with the rows of an earlier one added whose scripts were not replayed this time."""
    head = [line for line in text.splitlines() if not ROW.match(line)]
    found = {match[1]: match[0] for match in (*ROW.finditer(earlier), *ROW.finditer(text))}
    known = [found[path.stem] for path in sorted(SCRIPTS.glob("*.py")) if path.stem in found]
    return "\n".join([*head, *known]) + "\n"


def main() -> int:
    """Replay, write the table, and say which verdicts are not the expected ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scripts", nargs="*", help="names without .py (default: all)")
    parser.add_argument("--device", choices=("auto", "cpu"), default="auto")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        help="the table (default: stdout); rows of scripts that are not named stay",
    )
    options = parser.parse_args()
    chosen = [
        path for path in sorted(SCRIPTS.glob("*.py")) if not options.scripts or path.stem in options.scripts
    ]
    rows = []
    for path in chosen:
        session = replay(path, options.device)
        rows.append(row(path, session))
        print(f"{path.stem}: {rows[-1].status}", file=sys.stderr, flush=True)
    text = table(rows, session)
    if options.output:
        if options.scripts and options.output.exists():
            text = merged(text, options.output.read_text(encoding="utf-8"))
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)
    # What the CPU cannot show has no expected verdict on a GPU.
    on_gpu = session.environment.device != "cpu"
    wrong = [
        entry
        for entry in rows
        if entry.status != entry.expected and not (on_gpu and entry.expected == "not_measurable")
    ]
    for entry in wrong:
        print(f"{entry.script}: {entry.status}, expected {entry.expected}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
