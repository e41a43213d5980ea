"""The process: pools of workers, interrupts, streams that are closed or full, and what a start imports."""

from __future__ import annotations

import contextlib
import heapq
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlint.commands.checking.schedule import MOST_AT_ONCE, turns
from tests.command import ENVIRONMENT, FIXED, LEAK, MEMLINT, ONLY, Run, interruptible, process


def modules_after(*arguments: str, cwd: Path) -> set[str]:
    """What is imported once the command line has run."""
    code = f"import sys; from memlint.__main__ import main; main({list(arguments)}); print(*sys.modules)"
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return set(answer.stdout.splitlines()[-1].split())


def test_many_processes_give_the_same_bytes(tmp_path: Path) -> None:
    for number in range(12):
        text = LEAK if number % 3 else "import torch\nx = (\n"
        (tmp_path / f"t{number}.py").write_text(text, encoding="utf-8")
    outputs = {
        (found.returncode, found.stdout, found.stderr)
        for jobs in (["-j1"], ["-j", "3"], [], ["--no-cache"])
        for found in [process("check", *jobs, cwd=tmp_path)]
    }
    assert len(outputs) == 1
    fixed = process("check", "--fix", "-j2", cwd=tmp_path)
    assert fixed.stderr == "memlint: fixed 8 findings in 8 files\n"
    assert (tmp_path / "t1.py").read_text(encoding="utf-8") == FIXED


@given(st.lists(st.integers(0, 200_000), max_size=80), st.integers(1, 12))
def test_every_file_has_one_turn(sizes: list[int], workers: int) -> None:
    order = turns(sizes, workers)
    assert sorted(number for turn in order for number in turn) == list(range(len(sizes)))
    assert all(1 <= len(turn) <= MOST_AT_ONCE for turn in order)


def test_files_keep_their_order_but_for_the_long_ones() -> None:
    sizes = [10] * 90 + [800, 20, 900]
    order = turns(sizes, 2)
    assert order[:2] == [[92], [90]]
    assert [number for turn in order[2:] for number in turn] == [*range(90), 91]


@pytest.mark.parametrize("workers", [2, 4, 8])
def test_no_process_waits_for_a_long_file_that_was_begun_last(workers: int) -> None:
    sizes = [5_000 + 120 * number for number in range(400)] + [90_000] * 8 + [260_000]
    busy = [0] * workers
    for turn in turns(sizes, workers):
        heapq.heappush(busy, heapq.heappop(busy) + sum(sizes[number] for number in turn))
    assert sum(sizes) / max(busy) > 0.9 * workers


def test_ctrl_c_is_130_without_traceback_or_leftovers(
    run: Run, leak: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    answer = run("check", "train.py", "--fix")
    assert (answer.code, answer.out, answer.err) == (130, "", "memlint: interrupted\n")
    assert [p.name for p in leak.parent.iterdir()] == ["train.py"]
    assert leak.read_text(encoding="utf-8") == LEAK


def busy_pool(folder: Path) -> subprocess.Popen[str]:
    """memlint with two workers that have begun with files enough for some seconds."""
    lines = "".join(f"    x{n} = f(x{n}, y)\n" for n in range(300))
    for number in range(200):
        (folder / f"t{number}.py").write_text(f"import torch\nfor y in z:\n{lines}", encoding="utf-8")
    command = [*MEMLINT, "check", "-j2"]
    child = subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=interruptible,
    )  # fmt: skip
    time.sleep(1)
    return child


@pytest.mark.parametrize(
    "apart", [(), (0.002,), (0.02,), (0.3,), (0.001,) * 20], ids=["1", "2 ms", "20 ms", "300 ms", "21"]
)
def test_ctrl_c_reaches_a_pool_of_processes(tmp_path: Path, apart: tuple[float, ...]) -> None:
    """Once, or again while the first one is being obeyed, as `timeout -s INT` and impatient people do."""
    child = busy_pool(tmp_path)
    os.killpg(child.pid, signal.SIGINT)
    for seconds in apart:
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):  # it may have ended
            os.killpg(child.pid, signal.SIGINT)
    try:
        _, err = child.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    assert (child.returncode, err) == (130, "memlint: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_a_killed_parent(tmp_path: Path, number: signal.Signals) -> None:
    child = busy_pool(tmp_path)
    child.send_signal(number)
    try:
        child.communicate(timeout=30)  # ends when nobody holds the pipe any more
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == -number


def test_where_sigint_is_ignored_at_the_start_it_stays_so(leak: Path) -> None:
    code = (
        "import os, signal, sys\nfrom memlint.__main__ import main\n"
        "real = os.fsync\n"
        "def fsync(file): os.kill(os.getpid(), signal.SIGINT); real(file)\n"
        "os.fsync = fsync\n"
        "sys.exit(main(['check', '--fix', 'train.py', '--select', 'MEM101']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=leak.parent, env=ENVIRONMENT, capture_output=True, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "memlint: fixed 1 finding in 1 file\n")
    assert leak.read_text(encoding="utf-8") == FIXED


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"t{number}.py").write_text(
            "import torch\n" + "x = 1  # memlint: ignore\n" * 200, encoding="utf-8"
        )
    child = subprocess.Popen(
        [*MEMLINT, "check", "--full"],  # far more than a pipe holds
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 141


def test_ctrl_c_while_workers_start_reaches_none_of_them(tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / f"t{number}.py").write_text(LEAK, encoding="utf-8")
    code = (
        "import os, signal, sys\nfrom memlint.__main__ import main\n"
        "os.register_at_fork(after_in_parent=lambda: os.killpg(0, signal.SIGINT))\n"
        "sys.exit(main(['check', '-j2', '--no-cache', '.']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True,
        start_new_session=True, preexec_fn=interruptible,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "memlint: interrupted\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["check", "train.py", *ONLY]])
def test_output_that_cannot_be_written_is_2_and_one_line(leak: Path, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        command = [*MEMLINT, *arguments]
        made = subprocess.run(
            command, cwd=leak.parent, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert made.returncode == 2
    assert made.stderr == "memlint: error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("- <&-", 2, "memlint: error: stdin is closed (pipe a script into `memlint check -`)\n"),
        ("train.py >&-", 1, ""),
        ("nowhere.py 2>&-", 2, ""),
    ],
)
def test_closed_streams_are_no_bug(leak: Path, closed: str, code: int, said: str) -> None:
    command = f"{sys.executable} -m memlint check {closed}"
    made = subprocess.run(
        command, shell=True, cwd=leak.parent, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert (made.returncode, made.stdout, made.stderr) == (code, "", said)


@pytest.mark.skipif(os.name == "nt", reason="no such shell")
@pytest.mark.parametrize(
    ("around", "said"),
    [
        ("ulimit -n 8 && {}", "Too many open files (raise the limit: ulimit -n)"),
        ("mkdir gone && cd gone && rmdir ../gone && {}", "the current folder is no longer there"),
    ],
)
def test_what_is_wrong_around_the_process_is_said(leak: Path, around: str, said: str) -> None:
    for number in range(8):
        (leak.parent / f"t{number}.py").write_text(LEAK, encoding="utf-8")
    command = around.format(f"{sys.executable} -P -m memlint check -j2 .")
    made = subprocess.run(
        command, shell=True, cwd=leak.parent, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert (made.returncode, made.stdout, made.stderr.count("\n")) == (2, "", 1)
    assert made.stderr.startswith(f"memlint: error: {said}")


HEAVY = ("libcst", "rich", "importlib.metadata", "asyncio", "torch", "subprocess", "concurrent.futures")


@pytest.mark.parametrize(
    "arguments", [["--version"], ["check", "plain.py"], ["check", "plain.py", "--output-format", "json"]]
)
def test_nothing_heavy_is_imported_where_nothing_is_to_be_done(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "plain.py").write_text("import os\nfor x in os.environ:\n    print(x)\n", encoding="utf-8")
    loaded = modules_after(*arguments, cwd=tmp_path)
    assert "memlint.__main__" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_rich_and_torch_stay_out_of_a_plain_check(leak: Path) -> None:
    loaded = modules_after("check", "train.py", cwd=leak.parent)
    assert "libcst" in loaded
    assert loaded.isdisjoint({"rich", "torch", "libcst.matchers", "libcst.codemod", "asyncio"})
