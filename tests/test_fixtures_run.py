"""The runnable fixtures run, and the safe fixes change no digit of what they print.

A server process imports torch once and forks a child per script, so that a script costs what it
computes and not the seconds of the import.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memlint.source.notebook import Notebook
from tests.once import made_once

FIXTURES = Path(__file__).parent.parent / "fixtures"
LINT_ONLY = "# lint only:"
PATHS = sorted(FIXTURES.rglob("*.py"))
NOTEBOOKS = sorted(FIXTURES.rglob("*.ipynb"))
SCRIPTS = {path.relative_to(FIXTURES).as_posix(): path.read_text("utf-8") for path in PATHS}
RUNNABLE = [name for name, text in SCRIPTS.items() if not text.startswith(LINT_ONLY)]

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the scripts are run in forked processes"),
]

SERVER = """
import multiprocessing, os, runpy, signal, sys, traceback
import numpy, torch
torch.set_num_threads(1)
multiprocessing.set_start_method("fork")  # loader workers need not pickle a script that runpy holds
torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0).step()  # imports what optimizers need
print("ready", flush=True)
for line in sys.stdin:
    script, out = line.rstrip("\\n").split("\\t")
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        for fd, suffix in ((1, ".out"), (2, ".err")):
            os.dup2(os.open(out + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), fd)
        sys.argv, code = [script], 0
        try:
            runpy.run_path(script, run_name="__main__")
        except BaseException:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How one script ended and what it printed."""

    code: int
    out: bytes
    err: str


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Ran]]:
    """Runs a script to its end, each path once."""
    folder, done = tmp_path_factory.mktemp("out"), dict[Path, Ran]()
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
    )
    assert server.stdin
    assert server.stdout
    stdin, stdout = server.stdin, server.stdout
    if stdout.readline() != "ready\n":
        pytest.skip(f"torch cannot be imported: {server.communicate()[1].strip()[-200:]}")

    def ask(script: Path) -> Ran:
        if script not in done:
            out = folder / str(len(done))
            print(script, out, sep="\t", file=stdin, flush=True)
            code = int(stdout.readline())
            done[script] = Ran(code, Path(f"{out}.out").read_bytes(), Path(f"{out}.err").read_text())
        return done[script]

    yield ask
    stdin.close()
    server.wait(30)


def fixed_copy(factory: pytest.TempPathFactory, name: str, *options: str) -> Path:
    """All fixtures after one `memlint check --fix`, as a user would run it."""

    def make(folder: Path) -> None:
        shutil.copytree(FIXTURES, folder / "fixtures", ignore=shutil.ignore_patterns("__pycache__"))
        apply_fixes(folder, *options)

    return made_once(factory, f"{name}-fixtures", make) / "fixtures"


def apply_fixes(folder: Path, *options: str) -> None:
    command = [sys.executable, "-m", "memlint", "check", "--isolated", "--fix", *options, "fixtures"]
    paths = os.pathsep.join([str(FIXTURES.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fixed_copy(tmp_path_factory, "safe")


@pytest.fixture(scope="module")
def unsafe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fixed_copy(tmp_path_factory, "unsafe", "--unsafe-fixes")


@pytest.mark.parametrize("name", RUNNABLE)
def test_runs_and_prints(name: str, run: Callable[[Path], Ran]) -> None:
    ran = run(FIXTURES / name)
    assert ran.code == 0, ran.err
    assert ran.out


def test_most_fixtures_have_safe_fixes(safe: Path) -> None:
    changed = [name for name in RUNNABLE if (safe / name).read_text("utf-8") != SCRIPTS[name]]
    assert len(changed) >= 15


@pytest.mark.parametrize("name", RUNNABLE)
def test_safe_fixes_change_no_printed_digit(name: str, safe: Path, run: Callable[[Path], Ran]) -> None:
    if (safe / name).read_text("utf-8") == SCRIPTS[name]:
        pytest.skip("has no safe fix")
    ran = run(safe / name)
    assert ran.code == 0, ran.err
    assert ran.out == run(FIXTURES / name).out


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_safe_fixes_change_no_digit_that_a_notebook_prints(
    path: Path, safe: Path, run: Callable[[Path], Ran], tmp_path: Path
) -> None:
    fixed = safe / path.relative_to(FIXTURES)
    printed = []
    for name, data in (("before", path.read_bytes()), ("after", fixed.read_bytes())):
        script = tmp_path / f"{name}.py"
        magics = "get_ipython = lambda *names: None\n"
        script.write_text(magics + Notebook.decode(path.name, data).text, encoding="utf-8")
        ran = run(script)
        assert ran.code == 0, ran.err
        printed.append(ran.out)
    assert fixed.read_bytes() != path.read_bytes()
    assert printed[0] == printed[1] != b""


@pytest.mark.parametrize("name", SCRIPTS)
def test_unsafe_fixes_compile(name: str, unsafe: Path) -> None:
    text = (unsafe / name).read_text("utf-8")
    compile(text, name, "exec")
    assert text == SCRIPTS[name] or "#! " in SCRIPTS[name]


@pytest.mark.parametrize("name", RUNNABLE)
def test_scripts_still_run_after_unsafe_fixes(name: str, unsafe: Path, run: Callable[[Path], Ran]) -> None:
    ran = run(unsafe / name)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("options", [(), ("--unsafe-fixes",)], ids=["safe", "unsafe"])
def test_second_pass_changes_nothing(
    options: tuple[str, ...], safe: Path, unsafe: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(unsafe if options else safe, tmp_path / "fixtures")
    apply_fixes(tmp_path, *options)
    once = {name: ((unsafe if options else safe) / name).read_bytes() for name in SCRIPTS}
    assert {name: (folder / name).read_bytes() for name in SCRIPTS} == once
