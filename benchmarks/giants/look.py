"""Checking one file in a process of its own, and what it cost."""

from __future__ import annotations

import ast
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from memlint.commands.batch import Mode, process, task_for
from memlint.config import Overrides, resolve
from memlint.finding import Severity, each
from memlint.project import gate

MOST_SECONDS = 20.0
FRAMEWORKS = frozenset(
    "torch tensorflow keras tf_keras lightning pytorch_lightning accelerate deepspeed transformers fastai "
    "ignite apex".split()
)


@dataclass(frozen=True, slots=True)
class Looked:
    """One file: its lines, seconds of processor time, peak of the process in MiB, findings, and troubles."""

    path: str
    lines: int
    seconds: float
    peak: float
    findings: int
    crash: str
    alarms: tuple[str, ...]


@dataclass(slots=True)
class Row:
    """What came of a tree, `peak` in MiB."""

    name: str
    files: int = 0
    lines: int = 0
    findings: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    peak: float = 0.0
    crashes: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    def add(self, looked: Looked) -> None:
        """Count a file."""
        self.files += 1
        self.lines += looked.lines
        self.findings += looked.findings
        self.seconds += looked.seconds
        self.slowest, self.peak = max(self.slowest, looked.seconds), max(self.peak, looked.peak)
        if looked.crash:
            self.crashes.append(looked.crash)
        if looked.seconds > MOST_SECONDS:
            self.slow.append(f"{looked.path}: {looked.seconds:.1f} s")
        self.alarms += looked.alarms

    def __str__(self) -> str:
        cells = [self.name, f"{self.files:,}", f"{self.lines:,}", f"{self.findings:,}", f"{self.seconds:.1f}"]
        cells += [f"{self.slowest:.1f}", f"{self.peak:.0f}"]
        cells += [str(len(troubles)) for troubles in (self.crashes, self.slow, self.alarms)]
        return f"| {' | '.join(cells)} |"


def look(path: str, root: str) -> Looked:
    """Check one file as `memlint check --isolated --no-cache` does, every rule on."""
    settings = resolve(Path(path).parent, Overrides(isolated=True))
    begin = time.process_time()
    result = process(task_for(path, settings, Mode(), kept=False, given=root))
    seconds = time.process_time() - begin
    report = result.report
    text = Path(path).read_bytes()
    alarms = []
    if not _imports_framework(text):
        alarms = [
            f"{path}:{f.span.line}: {f.code} {f.message}"
            for f in each(report.findings)
            if f.severity is not Severity.ADVICE and f.code not in ("MEM001", "MEM004")
        ]
    # A file that is too long or nested too deeply is said to be, which is no crash.
    crash = f"{path}: {report.failed}" if "internal error" in report.failed else ""
    return Looked(path, text.count(b"\n"), seconds, _peak(), len(report.findings), crash, tuple(alarms))


def _imports_framework(data: bytes) -> bool:
    try:
        tree = ast.parse(data)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return gate.mentions_framework(data)
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # What a module of the project hands on may be a framework.
            named.add("torch" if node.level else (node.module or "").partition(".")[0])
    return bool(named & FRAMEWORKS)


def _peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 2**20)
