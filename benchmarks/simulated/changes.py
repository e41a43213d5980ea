"""`python -m benchmarks.simulated.changes`: what changes are said to save, and what they saved.

For some scripts `memlint fit --suggest` is asked for changes. Each that it writes (as a diff, or as a setting
of the environment) is run on the GPU beside the script itself, where there is one; without one, what was
measured before stays, as long as the changed code is the same. Each is also simulated again with the change
written into the script; of those that are only described, `by_hand` has the texts for some, others are left
out.

Writes docs/simulated-changes.md with the data beside it (.json), again after each script. Exit code 1 where a
change ended a script on the GPU, 2 where a script could not be simulated.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.simulated import by_hand, runs
from benchmarks.simulated.__main__ import ROOT, device_name
from benchmarks.simulated.table import Figures
from memlint.source.decoding import decode

PAGE = ROOT / "docs" / "simulated-changes.md"
CASES = {
    "segmentation": "segment.py",
    "distillation": "distill.py",
    "graph-attention": "nodes.py",
    "lora-by-hand": "lora.py",
    "separation": "separate.py",
    "triplet": "triplet.py",
}
"""Name in the table to script."""
CARD = "140GiB"
"""A card on which all of them fit: changes are then ranked by what they save."""
MIB = 1 << 20
ENVIRONMENT = {"expandable segments": {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}}
"""Changes that are a setting."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change: bytes that it is said to save of the need, and of the tensors at their peak; its real run.

    `digest` is of the changed code, `again` what it needs less when it is simulated; `problem` is what ended
    the real run.
    """

    name: str
    digest: str
    need: int
    tensors: int
    real: Figures | None = None
    problem: str = ""
    again: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A script, its runs as it is, and its changes."""

    name: str
    digest: str
    simulated: Figures
    real: Figures | None = None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """All scripts by name; `gpu` is the GPU with its driver."""

    gpu: str = ""
    cases: dict[str, Case] = field(default_factory=dict)


def digest(code: str, environment: dict[str, str]) -> str:
    """A short digest of what code does: of its tree without the docstring, so formatting does not count."""
    tree = ast.parse(code)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return hashlib.sha256(f"{environment}\n{ast.dump(tree)}".encode()).hexdigest()[:16]


def suggested(name: str) -> tuple[Figures, list[dict[str, Any]]]:
    """The simulated peaks of a script, and the changes that `memlint fit` suggests for it.

    Raises:
        RuntimeError: it did not come to an answer; the message is what it said.
    """
    found = _session(runs.SCRIPTS, "--suggest", CASES[name])
    peaks = found["arms"][0]["cuda"]
    figures = Figures(peaks["allocated_peak"], peaks["reserved_peak"], version("torch"))
    return figures, found["fit"]["remedies"]


def reserved(code: str, environment: dict[str, str]) -> int:
    """What changed code reserves when it is simulated.

    Raises:
        RuntimeError: it did not come to an answer; the message is what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "script.py").write_text(code, encoding="utf-8")
        found = _session(Path(folder), "--no-suggest", "script.py", environment)
        arm = found["arms"][0]
        if arm["failure"] is not None:
            raise RuntimeError(f"changed, it fails: {arm['failure']['message']}")
        return int(arm["cuda"]["reserved_peak"])


def _session(
    folder: Path, option: str, script: str, environment: dict[str, str] | None = None
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as workshop:
        session = Path(workshop, "session.json")
        line = [sys.executable, "-m", "memlint", "fit", "--card", CARD, option, "-q", "-o", str(session)]
        done = subprocess.run(
            [*line, script],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
            capture_output=True,
            text=True,
        )
        if not session.exists():
            raise RuntimeError(done.stderr.strip() or done.stdout.partition("\n")[0])
        found: dict[str, Any] = json.loads(session.read_text(encoding="utf-8"))
        return found


def changed(code: str, diff: str) -> str:
    """Code with a diff applied, by `patch`.

    Raises:
        RuntimeError: the diff does not apply.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "script.py")
        path.write_text(code, encoding="utf-8")
        done = subprocess.run(["patch", "-s", str(path)], input=diff, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stdout.strip())
        return path.read_text(encoding="utf-8")


def measure(name: str, *, real: bool, earlier: Case | None) -> Case:
    """One script with its changes.

    Raises:
        RuntimeError: it could not be simulated, or does not run as it is.
    """
    code = (runs.SCRIPTS / CASES[name]).read_text(encoding="utf-8")
    known = {} if earlier is None else {change.digest: change for change in earlier.changes}
    simulated, remedies = suggested(name)
    case = Case(name, digest(code, {}), simulated)
    if real:
        case = replace(case, real=_figures(runs.real_code(code, {})))
    elif earlier is not None and earlier.digest == case.digest:
        case = replace(case, real=earlier.real)
    changes = []
    for remedy in remedies:
        environment = ENVIRONMENT.get(remedy["name"], {})
        text = by_hand.changed(name, remedy["name"], code)
        if environment:
            text = code
        elif remedy["diff"]:
            text = changed(code, remedy["diff"])
        elif text is None:
            continue
        title = f"{remedy['name']}, line {remedy['line']}" if remedy["line"] else remedy["name"]
        again = simulated.reserved - reserved(text, environment)
        change = Change(title, digest(text, environment), remedy["saved"], remedy["tensors"], again=again)
        if real:
            run = runs.real_code(text, environment)
            change = replace(change, real=_figures(run), problem=run.problem)
        elif change.digest in known:
            before = known[change.digest]
            change = replace(change, real=before.real, problem=before.problem)
        changes.append(change)
    return replace(case, changes=tuple(changes))


def _figures(run: runs.Real) -> Figures:
    return Figures(run.allocated, run.reserved, run.torch, context=run.context)


def rows(case: Case) -> Iterable[tuple[Change, int, int]]:
    """Changes with a real run to its end, and the bytes that it saved of reserved and allocated memory."""
    for change in case.changes:
        if case.real is not None and change.real is not None and not change.problem:
            yield (
                change,
                case.real.reserved - change.real.reserved,
                case.real.allocated - change.real.allocated,
            )


def markdown(table: Table) -> str:
    """The page: totals, then a row for each change."""
    found = [row for case in table.cases.values() for row in rows(case)]
    there = f"the real runs on {table.gpu}" if table.gpu else "no GPU was at hand"
    lines = [
        "# Changes that are suggested, simulated and real",
        "",
        f"Written by `python -m benchmarks.simulated.changes`; {there}.",
        "In MiB: peaks of torch's allocator for the script as it is, and what `memlint fit --suggest` says "
        "that a change saves of the need and of tensors, beside what it saves when the changed script is "
        "simulated again, and what the peaks of the changed script were less.",
        "",
    ]
    if found:
        need = [abs(change.need - reserved) / MIB for change, reserved, _ in found]
        both = [(change.tensors, allocated) for change, _, allocated in found if change.tensors > MIB]
        shares = [abs(said / allocated - 1) for said, allocated in both if allocated]
        lines += [
            f"{len(found)} changes ran: what is saved of the need is met with a median error of "
            f"{median(need):.0f} MiB, what is saved of tensors ({len(shares)} changes) with "
            f"{100 * median(shares):.1f} %.",
            "",
        ]
    twice = [
        (change.need, change.again)
        for case in table.cases.values()
        for change in case.changes
        if change.again is not None
    ]
    if twice:
        worst = max(abs(again - said) / max(said, 1) for said, again in twice)
        lines += [
            f"{len(twice)} changes were written into the scripts and simulated again: what they save of the "
            f"need is what was said, but for {100 * worst:.1f} % at most.",
            "",
        ]
    lines += [
        "| script | change | reserved, said | simulated again | reserved, real | tensors, said "
        "| allocated, real |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for case in table.cases.values():
        peaks, real = case.simulated, case.real
        lines.append(
            f"| {case.name} | peaks as it is | {_mib(peaks.reserved)} | - | {_mib(real and real.reserved)} "
            f"| {_mib(peaks.allocated)} | {_mib(real and real.allocated)} |"
        )
        saved = {change.digest: (reserved, allocated) for change, reserved, allocated in rows(case)}
        for change in case.changes:
            less, allocated = saved.get(change.digest, (None, None))
            lines.append(
                f"| | {change.name} | {_mib(change.need)} | {_mib(change.again)} "
                f"| {_mib(less, change.problem or '-')} "
                f"| {_mib(change.tensors)} | {_mib(allocated)} |"
            )
    return "\n".join(lines) + "\n"


def _mib(count: int | None, otherwise: str = "-") -> str:
    return otherwise.replace("|", "\\|") if count is None else f"{round(count / MIB):,}"


def read(path: Path) -> Table:
    """What was written before; nothing where there is no file."""
    if not path.exists():
        return Table()
    found: Table = decode(Table, json.loads(path.read_text(encoding="utf-8")))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen scripts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: all of {', '.join(CASES)}")
    parser.add_argument(
        "-o", "--output", type=Path, default=PAGE, help="the page to write; its data beside it"
    )
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    gpu, data = device_name(), chosen.output.with_suffix(".json")
    earlier = read(data)
    table = replace(earlier, gpu=gpu or earlier.gpu)
    if gpu and gpu != earlier.gpu:
        table = Table(gpu)
    code = 0
    for name in chosen.cases or CASES:
        try:
            case = measure(name, real=bool(gpu), earlier=table.cases.get(name))
        except RuntimeError as error:
            print(f"not run: {name}: {error}", file=sys.stderr)
            code = 2
            continue
        code = max(code, int(any(change.problem for change in case.changes)))
        cases = {**table.cases, name: case}
        table = replace(table, cases={each: cases[each] for each in CASES if each in cases})
        data.write_text(json.dumps(asdict(table), indent=1) + "\n", encoding="utf-8")
        chosen.output.write_text(markdown(table), encoding="utf-8")
        print(f"{name}: {len(case.changes)} changes", file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
