"""Whether memory and handles stay flat over many uses of one process: the figures of docs/reliability.md.

    python -m benchmarks.soak {server,replay} [--times N]

server   a `memlint server` gets N edits of eight documents, and is asked for the fixes after each
replay   N replays of a leaking script, one after the other, every tenth with its fix, in this process

Both are looked at after each tenth: resident memory, open descriptors, child processes, files left in the
folder for temporary ones. Exits with 1 when handles, children or files have become more since the first
tenth, or resident memory by more than 5 %. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlint.__main__ import main as memlint

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(ROOT.glob("examples/*.py")) + sorted((ROOT / "fixtures").glob("*.py"))[:4]
TENTHS = 10
GROWTH = 1.05
"""How much more resident memory may be at the end than after the first tenth: allocators take it in steps."""

LEAK = """\
import torch

net = torch.nn.Linear(64, 10)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
total = 0
for _ in range(8):
    loss = net(torch.randn(32, 64)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss
print(total)
"""


@dataclass(frozen=True, slots=True)
class Look:
    """What a process has after `times` uses: `resident` in KiB."""

    times: int
    resident: int
    handles: int
    children: int
    files: int

    def exceeds(self, first: Look) -> bool:
        """Whether it is more than after the first tenth."""
        mine = (self.handles, self.children, self.files)
        others = (first.handles, first.children, first.files)
        return self.resident > GROWTH * first.resident or any(
            a > b for a, b in zip(mine, others, strict=True)
        )


def look(pid: int, times: int, temporary: Path) -> Look:
    """Look at a process.

    Raises:
        OSError: it has ended.
    """
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = sum(len((task / "children").read_text(encoding="ascii").split()) for task in tasks)
    files = sum(1 for _ in temporary.rglob("*"))
    return Look(times, resident, len(os.listdir(f"/proc/{pid}/fd")), children, files)


class Client:
    """An editor, as far as it needs to be one."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-P", "-m", "memlint", "server"]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asked = 0
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})

    def tell(self, method: str, parameters: object, **more: object) -> None:
        """Send a notification."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, parameters: object) -> Any:
        """Send a request and wait for its answer; what else the server says meanwhile is passed over.

        Raises:
            RuntimeError: the server has ended, or refuses.
        """
        self._asked += 1
        self.tell(method, parameters, id=self._asked)
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not line:
                raise RuntimeError(f"the server has ended with {self.process.wait()}")
            said = json.loads(self.process.stdout.read(length))
            if said.get("id") == self._asked and "method" not in said:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]

    def stop(self) -> None:
        """End the server as editors do.

        Raises:
            RuntimeError: it does not end well.
        """
        self.ask("shutdown", None)
        self.tell("exit", None)
        if code := self.process.wait():
            raise RuntimeError(f"the server has ended with {code}")


def server(times: int, folder: Path) -> Iterator[Look]:
    """Edit documents, and have each state of them checked."""
    client = Client(folder)
    texts = {(folder / path.name).as_uri(): path.read_text(encoding="utf-8") for path in DOCUMENTS}
    for uri, text in texts.items():
        item = {"uri": uri, "languageId": "python", "version": 0, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": item})
    found = 0
    for number in range(1, times + 1):
        uri = random.choice([*texts])
        document = {"uri": uri, "version": number}
        changes = [{"text": _typed(texts[uri])}]
        client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}}
        asked = {"textDocument": {"uri": uri}, "range": everywhere, "context": {"diagnostics": []}}
        found += len(client.ask("textDocument/codeAction", asked) or ())
        if number % (times // TENTHS) == 0:
            yield look(client.process.pid, number, folder)
    if not found:
        raise RuntimeError("no fix was offered: the server checks nothing")
    client.stop()


def _typed(text: str) -> str:
    """A text in which something was typed: a name, half a statement, a line less."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    typed = random.choice((f"{indent}name_{random.randrange(100)} = 1\n", f"{indent}model(\n", "# note\n"))
    lines[at : at + random.randrange(2)] = [typed]
    return "".join(lines)


def replay(times: int, folder: Path) -> Iterator[Look]:
    """Replay a script again and again."""
    script = folder / "train.py"
    script.write_text(LEAK, encoding="utf-8")
    (folder / "tmp").mkdir()
    command = ["replay", "--select", "MEM101", "--device", "cpu", "--output", str(folder / "s.json")]
    with _temporary(folder / "tmp"), open(os.devnull, "w", encoding="utf-8") as nowhere:
        for number in range(1, times + 1):
            alone = ["--no-fix"] * bool(number % TENTHS)
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                code = memlint([*command, *alone, str(script)])
            found = json.loads((folder / "s.json").read_bytes())["findings"]
            if code != 1 or len(found) != 1:
                raise RuntimeError(f"replay {number}: exit code {code}, {len(found)} findings")
            if number % (times // TENTHS) == 0:
                yield look(os.getpid(), number, folder / "tmp")


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


USES = {"server": server, "replay": replay}


def main(arguments: Sequence[str]) -> int:
    """Run one of the two and print a row for each tenth."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="what grows with use")
    parser.add_argument("use", choices=USES)
    parser.add_argument("--times", type=int, default=0, metavar="N", help="default: 10000 edits, 500 replays")
    options = parser.parse_args(arguments)
    times = options.times or {"server": 10_000, "replay": 500}[options.use]
    if times < TENTHS:
        parser.error(f"--times: at least {TENTHS}")
    random.seed(options.use)
    print("| times | resident MiB | handles | children | temporary files |\n|--:|--:|--:|--:|--:|")
    seen: list[Look] = []
    with tempfile.TemporaryDirectory() as folder:
        for now in USES[options.use](times, Path(folder).resolve()):
            seen.append(now)
            numbers = (now.times, f"{now.resident / 1024:.1f}", now.handles, now.children, now.files)
            print(f"| {' | '.join(map(str, numbers))} |", flush=True)
    return int(seen[-1].exceeds(seen[0]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
