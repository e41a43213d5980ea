"""What is lost when `memlint check --fix` is disturbed: the figures of docs/reliability.md.

    python -m benchmarks.reliability [FAULT ...] [--files N] [--rounds N]

Each round makes a tree of files that all have something to fix, runs the command over it, disturbs it, and
reads the tree. A file is whole when it is the old one or the fixed one to the byte. Faults:

killed        SIGKILL at a random moment, every other time one after the first file was written
small-files   a limit on the size of files (RLIMIT_FSIZE) that the fixed ones would exceed
full-disk     a small tmpfs with room for none, one or two of the files (needs root)
read-only     a tmpfs that is mounted read-only (needs root)
two-at-once   two commands fix one tree
edited        another program saves half of the files meanwhile
cache         entries of the cache are cut, changed in a bit, replaced by folders, removed

Exits with 1 when anything was lost.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

OLD = """\
import torch

model = torch.nn.Linear(4, {number})
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    loss.backward()
    total += loss
"""
NEW = OLD.replace("total += loss", "total += loss.detach()")
EDIT = "# saved by another program\n"
CHECK = [sys.executable, "-m", "memlint", "check", ".", "--select", "MEM101", "--output-format", "concise"]
FIX = [*CHECK, "--fix", "--no-cache"]


@dataclass(slots=True)
class Outcome:
    """Of one fault: rounds, how many files were old and how many fixed, and in words what was lost.

    `left` are temporary files of processes that had no chance to remove them.
    """

    rounds: int = 0
    old: int = 0
    new: int = 0
    left: int = 0
    lost: list[str] = field(default_factory=list)

    def look(self, tree: Path, files: int, edited: frozenset[str] = frozenset()) -> None:
        """Read a tree. Lost is a file that is neither old nor fixed, lacks an edit, or is none of ours."""
        self.rounds += 1
        names = {f"train_{number}.py" for number in range(files)}
        here = {path.name for path in tree.iterdir() if path.name != "filler"}
        self.left += sum(name.endswith(".memlint-tmp") for name in here)
        others = {name for name in here - names if not name.endswith(".memlint-tmp")}
        self.lost += [f"round {self.rounds}: {name}" for name in sorted(others | (names - here))]
        for number in range(files):
            text = (tree / f"train_{number}.py").read_text(encoding="utf-8")
            mark = EDIT if f"train_{number}.py" in edited else ""
            if text == mark + NEW.format(number=number):
                self.new += 1
            elif text == mark + OLD.format(number=number):
                self.old += 1
            else:
                self.lost.append(f"round {self.rounds}: train_{number}.py: {text[:60]!r}")

    def expect(self, holds: bool, what: str) -> None:
        """Note what else went wrong in the round that was looked at last."""
        if not holds:
            self.lost.append(f"round {self.rounds}: {what}")


def killed(tree: Path, files: int, rounds: int) -> Outcome:
    """SIGKILL to the command and its workers."""
    found = Outcome()
    _make(tree, files)
    begin = time.monotonic()
    process = _start(FIX, tree)
    writes = _first_written(tree, files, process)
    process.wait()
    whole, writing = time.monotonic() - begin, time.monotonic() - writes
    for number in range(rounds):
        _make(tree, files)
        process = _start(FIX, tree)
        if number % 2:
            _first_written(tree, files, process)
        time.sleep(random.uniform(0, writing if number % 2 else whole))
        _kill(process)
        found.look(tree, files)
    return found


def small_files(tree: Path, files: int, rounds: int) -> Outcome:
    """No file may become as large as the fixed ones are: what a quota or a full disk does."""
    found = Outcome()
    for _ in range(rounds):
        _make(tree, files)
        limit = random.randrange(len(OLD))
        process = _start(FIX, tree, partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)))
        process.wait()
        found.look(tree, files)
        found.expect(process.returncode == 2, f"exit code {process.returncode}")
        found.expect(not list(tree.glob(".*.memlint-tmp")), "temporary files")
    return found


def full_disk(tree: Path, files: int, rounds: int) -> Outcome:
    """A disk on which there is room for some, or none, of the files once more."""
    found = Outcome()
    for _ in range(rounds):
        with _mounted(tree, "size=16m"):
            _make(tree, files)
            _fill(tree / "filler", leave=4096 * random.randrange(3))
            process = _start(FIX, tree)
            process.wait()
            found.look(tree, files)
            found.expect(not list(tree.glob(".*.memlint-tmp")), "temporary files")
    return found


def read_only(tree: Path, files: int, rounds: int) -> Outcome:
    """A file system that is mounted read-only."""
    found = Outcome()
    for _ in range(rounds):
        with _mounted(tree, "size=16m"):
            _make(tree, files)
            subprocess.run(["mount", "-o", "remount,ro", str(tree)], check=True)
            process = _start(FIX, tree)
            process.wait()
            found.look(tree, files)
            found.expect(process.returncode == 2, f"exit code {process.returncode}")
    found.expect(found.new == 0, "written to all the same")
    return found


def two_at_once(tree: Path, files: int, rounds: int) -> Outcome:
    """Two commands that fix one tree."""
    found = Outcome()
    for _ in range(rounds):
        _make(tree, files)
        both = [_start(FIX, tree), _start(FIX, tree)]
        for process in both:
            process.wait()
        found.look(tree, files)
        found.expect(not list(tree.glob(".*.memlint-tmp")), "temporary files")
    found.expect(found.old == 0, "a file that neither has fixed")
    return found


def edited(tree: Path, files: int, rounds: int) -> Outcome:
    """Another program saves half of the files, one after the other, while they are checked and written."""
    found = Outcome()
    for _ in range(rounds):
        _make(tree, files)
        process = _start(FIX, tree)
        saved = set()
        for number in random.sample(range(files), files // 2):
            time.sleep(random.uniform(0, 0.02))
            name = f"train_{number}.py"
            beside = tree.parent / "saved"
            beside.write_text(EDIT + OLD.format(number=number), encoding="utf-8")
            beside.replace(tree / name)
            saved.add(name)
        process.wait()
        found.look(tree, files, frozenset(saved))
    return found


def cache(tree: Path, files: int, rounds: int) -> Outcome:
    """Entries of the cache that are damaged: the next run says the same, and nothing of the damage."""
    found = Outcome()
    _make(tree, files)
    (tree / "pyproject.toml").touch()
    clean = subprocess.run(CHECK, cwd=tree, capture_output=True, check=False)
    for _ in range(rounds):
        for entry in sorted((tree / ".memlint_cache").iterdir()):
            random.choice(DAMAGES)(entry)
        again = subprocess.run(CHECK, cwd=tree, capture_output=True, check=False)
        found.rounds += 1
        texts = {number: (tree / f"train_{number}.py").read_text(encoding="utf-8") for number in range(files)}
        found.old += sum(text == OLD.format(number=number) for number, text in texts.items())
        found.expect(found.old == found.rounds * files, "a file that was only checked has changed")
        found.expect(again.stdout == clean.stdout and again.stderr == clean.stderr, "another report")
        found.expect(len(list((tree / ".memlint_cache").glob("*.json"))) == files, "entries that are gone")
    return found


def _cut(entry: Path) -> None:
    data = entry.read_bytes()
    entry.write_bytes(data[: random.randrange(len(data) + 1)])


def _flip(entry: Path) -> None:
    data = bytearray(entry.read_bytes() or b"\0")
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    entry.write_bytes(data)


def _as_folder(entry: Path) -> None:
    if entry.suffix == ".json":
        entry.unlink()
        (entry / "inner").mkdir(parents=True)


DAMAGES: tuple[Callable[[Path], None], ...] = (_cut, _flip, _as_folder, Path.unlink, lambda entry: None)

FAULTS: dict[str, Callable[[Path, int, int], Outcome]] = {
    "killed": killed,
    "small-files": small_files,
    "full-disk": full_disk,
    "read-only": read_only,
    "two-at-once": two_at_once,
    "edited": edited,
    "cache": cache,
}


def _make(tree: Path, files: int) -> None:
    for path in tree.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for number in range(files):
        (tree / f"train_{number}.py").write_text(OLD.format(number=number), encoding="utf-8")


def _start(
    command: Sequence[str], tree: Path, before: Callable[[], object] | None = None
) -> subprocess.Popen[bytes]:
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=tree, stdout=nowhere, stderr=nowhere, start_new_session=True, preexec_fn=before
    )


def _first_written(tree: Path, files: int, process: subprocess.Popen[bytes]) -> float:
    """Wait for the first file that is replaced, or the end of the process; gives the moment."""
    first = min(f"train_{number}.py" for number in range(files))
    before = (tree / first).stat().st_ino
    while process.poll() is None and (tree / first).stat().st_ino == before:
        time.sleep(0.0005)
    return time.monotonic()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The process and its workers, which are of its own group."""
    if process.poll() is None:
        os.killpg(process.pid, 9)
    process.wait()


@contextmanager
def _mounted(tree: Path, options: str) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(tree)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(tree)], check=True)


def _fill(path: Path, leave: int) -> None:
    """Fill the disk until it takes no more, then give `leave` bytes back."""
    size = 0
    with open(path, "wb", buffering=0) as filler:
        try:
            while True:
                size += filler.write(bytes(4096))
        except OSError:
            filler.truncate(max(0, size - leave))


def main() -> int:
    """Print a row for each fault; 1 when something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=f"of {', '.join(FAULTS)} (all of them)")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random.seed(options.seed)
    lost = 0
    print("| fault | rounds | files a round | old | fixed | temporary files left | lost |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in options.faults or FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder, "tree")
            tree.mkdir()
            found = FAULTS[name](tree, options.files, options.rounds)
        lost += len(found.lost)
        counts = (found.rounds, options.files, found.old, found.new, found.left, len(found.lost))
        print(f"| {name} | {' | '.join(map(str, counts))} |", flush=True)
        for line in found.lost[:20]:
            print(line, file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
