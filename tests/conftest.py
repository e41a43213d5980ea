"""Golden files, the command line over a leaking script, and how tests are shared out among workers.

`pytest --update-golden` writes what the tests saw, to be read in the diff.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlint.__main__ import main
from tests.command import LEAK, Run
from tests.notebooks import LOOP, SETUP, code, jupyter, notebook, text_cell

DATA = Path(__file__).with_name("data")


def pytest_configure() -> None:
    """Let no property fail because a machine is slow; where hypothesis is missing, so are its tests."""
    if find_spec("hypothesis"):
        from hypothesis import HealthCheck, settings

        settings.register_profile("memlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
        settings.load_profile("memlint")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files under tests/data")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: many tests wait for processes that they have started."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The replays come first and are long: a worker that is done takes over half of what another has left."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the file of that name below `tests/data`."""

    def check(name: str, text: str) -> None:
        path = DATA / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return check


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command line in `tmp_path` within this process; gives code, out and err."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "MEMLINT_OUTPUT_FORMAT"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: bytes = b"") -> SimpleNamespace:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return SimpleNamespace(code=code, out=out.decode(), err=err.decode())

    return call


@pytest.fixture
def leak(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_text(LEAK, encoding="utf-8")
    return file


@pytest.fixture
def leaking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook that leaks in its third cell; the current folder is its own."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "leak.ipynb"
    path.write_bytes(jupyter(notebook(text_cell("# Training"), code(SETUP), code(f"%%time\n{LOOP}"))))
    return path
