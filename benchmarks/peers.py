"""What other linters report in the fixtures, and how long they take: the table of docs/comparison.md.

    python -m benchmarks.peers [--rounds N]

Each tool is installed into an environment of its own below `.benchmarks/` on first use, and run over the
fixtures with all of its rules, memlint with its default set. A marked line counts as found when the tool
reports anything in it; which of its rules it was is not asked. The fixtures were written for memlint, whose
tests hold it to every mark: its own row says how fast it is, and nothing else.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.check_speed import CHECK, FOUND_OR_NOT, PEERS, ROOT
from benchmarks.timing import command, interleaved

FIXTURES = ROOT / "fixtures"
_PLANTED = re.compile(r"#! MEM\d")
_LOOK_ALIKE = re.compile(r"#~ MEM\d")
_PLACE = re.compile(r"^(\S+?\.py):(\d+):", re.MULTILINE)
_JSON_PLACE = re.compile(r'"path": "([^"]+)",\s+"line": (\d+)')


@dataclass(frozen=True, slots=True)
class Tool:
    """A linter: what pip calls it ("" for memlint), how it is run, and how its output names a place."""

    name: str
    requirement: str
    arguments: tuple[str, ...]
    place: re.Pattern[str]

    def command(self) -> list[str]:
        """The command that checks the fixtures, installed first where it is not there yet.

        Raises:
            subprocess.CalledProcessError: pip could not install it.
        """
        if not self.requirement:
            return [*CHECK, *self.arguments, str(FIXTURES)]
        folder = PEERS / self.requirement.replace("==", "-")
        scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
        if not (scripts / self.name).exists():
            print(f"installing {self.requirement} into {folder.relative_to(ROOT)} ...", file=sys.stderr)
            venv.create(folder, with_pip=True, clear=True)
            python = str(scripts / "python")
            subprocess.run([python, "-m", "pip", "install", "--quiet", self.requirement], check=True)
        return [str(scripts / self.name), *self.arguments, str(FIXTURES)]


TOOLS = (
    Tool("memlint", "", ("-j1",), _PLACE),
    Tool("torch-preflight", "torch-preflight==0.5.0", ("check", "--format", "json", "-j1"), _JSON_PLACE),
    Tool("torchfix", "torchfix==0.7.0", ("--select=ALL", "--jobs=1"), _PLACE),
)


def marked(pattern: re.Pattern[str]) -> set[tuple[str, int]]:
    """The lines of the fixtures that carry a mark, by file and number."""
    return {
        (path.relative_to(FIXTURES).as_posix(), number)
        for path in FIXTURES.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    }


def reported(tool: Tool) -> set[tuple[str, int]]:
    """The lines in which a tool reports something, by file and number."""
    done = subprocess.run(tool.command(), cwd=ROOT, capture_output=True, text=True, check=False)
    found = ((Path(ROOT, path), int(line)) for path, line in tool.place.findall(done.stdout))
    return {(path.relative_to(FIXTURES).as_posix(), line) for path, line in found}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each tool is timed (3)")
    rounds = parser.parse_args(argv).rounds
    planted, look_alikes = marked(_PLANTED), marked(_LOOK_ALIKE)
    lines = {tool.name: reported(tool) for tool in TOOLS if tool.requirement}
    taken = interleaved({tool.name: command(tool.command(), FOUND_OR_NOT) for tool in TOOLS}, rounds)
    print("| tool | planted problems found | look-alikes reported | processor time |")
    print("|---|--:|--:|--:|")
    for tool in TOOLS:
        found, seconds = lines.get(tool.name), statistics.median(taken[tool.name])
        shown = (
            "as written" if found is None else f"{len(found & some)} of {len(some)}"
            for some in (planted, look_alikes)
        )
        print(f"| {tool.requirement or 'memlint'} | {' | '.join(shown)} | {seconds:.1f} s |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
