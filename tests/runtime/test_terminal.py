"""What a script finds at its standard input: a terminal with a size, and the end of the file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memlint.runtime.terminal import Terminal
from tests.runtime.support import LOOP, is_gone, measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

ASKS = """
import fcntl, os, shutil, struct, subprocess, sys, termios
_, width = os.popen("stty size", "r").read().split()
width = int(width)
assert width > 0
assert subprocess.check_output(["stty", "size"]).split()[1] == b"%d" % width
assert os.popen("stty size < /dev/tty").read().split()[1] == str(width)
sizes = [os.get_terminal_size(), os.get_terminal_size(0), os.get_terminal_size(sys.stderr.fileno())]
os.environ.pop("COLUMNS", None)
assert {size.columns for size in (*sizes, shutil.get_terminal_size((7, 7)))} == {width}
for stream in (0, 1, 2, sys.stdout, os.open(os.ctermid(), os.O_RDONLY)):
    assert struct.unpack("hh", fcntl.ioctl(stream, termios.TIOCGWINSZ, "1234"))[1] == width
"""


@pytest.mark.parametrize("contained", [True, False])
def test_a_script_that_asks_for_the_size_of_the_terminal_runs(tmp_path: Path, contained: bool) -> None:
    arm = measure(script(tmp_path, ASKS + LOOP + "step()\n"), tmp_path / "w", contained=contained)
    assert arm.failure is None, arm.failure
    assert len(arm.steps) == 1


def test_whoever_reads_is_at_the_end_of_the_file(tmp_path: Path) -> None:
    reads = """
        import getpass, os, select, subprocess, sys, torch
        assert not sys.stdin.isatty()
        for ask in (input, getpass.getpass):
            for _ in range(3):
                try:
                    ask("Overwrite? ")
                except EOFError:
                    continue
                raise AssertionError(ask)
        assert sys.stdin.read() == sys.stdin.readline() == "" and os.read(0, 10) == b""
        assert not select.select([sys.stdin], [], [], 0)[0]
        assert subprocess.run(["cat"], capture_output=True).stdout == b""
        assert os.popen("head -c 5 /dev/tty").read() == ""
        assert subprocess.run(["cat"], start_new_session=True, capture_output=True).stdout == b""
    """
    arm = measure(script(tmp_path, reads), tmp_path / "w")
    assert arm.failure is None, arm.failure


def test_what_is_written_to_the_terminal_stops_nobody(tmp_path: Path) -> None:
    text = "import torch\nwith open('/dev/tty', 'w') as bar:\n    bar.write('50 %\\r' * 200_000)\n"
    arm = measure(script(tmp_path, text), tmp_path / "w")
    assert arm.failure is None, arm.failure


def test_where_there_is_no_pseudo_terminal_reading_ends_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise OSError("out of pty devices")

    monkeypatch.setattr(os, "openpty", none)
    text = "import os, sys, torch\nassert not os.isatty(0) and sys.stdin.read() == ''\n"
    arm = measure(script(tmp_path, text), tmp_path / "w")
    assert arm.failure is None, arm.failure


def test_the_size_is_that_of_memlints_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda stream: os.terminal_size((132 * stream, 43 * stream)))
    terminal = Terminal()
    monkeypatch.undo()
    assert os.get_terminal_size(terminal.theirs) == (132, 43)
    terminal.close()


def test_a_script_ends_when_memlint_has_been_killed(tmp_path: Path) -> None:
    text = "import os, time, torch\nprint(os.getpid(), file=open('pid.part', 'w'), flush=True)\n"
    path = script(tmp_path, text + "os.rename('pid.part', 'pid')\ntime.sleep(600)\n")
    code = "import sys; from memlint.__main__ import main; main(['replay', '--no-sandbox', sys.argv[1]])"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=tmp_path, env=environment)
    deadline = time.monotonic() + 60
    while not (tmp_path / "pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert is_gone(int((tmp_path / "pid").read_text(encoding="ascii")))
