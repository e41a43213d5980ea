"""Systems that are not this one: what they lack is taken away, and the static half does all of its work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memlint.__main__ import main
from tests.command import ENVIRONMENT, FIXED, LEAK, MEMLINT, ONLY

BARE = [sys.executable, str(Path(__file__).with_name("bare.py"))]
EVERY = """\
import importlib, pkgutil, memlint
for module in pkgutil.walk_packages(memlint.__path__, "memlint."):
    if not module.name.startswith(("memlint.runtime.child.", "memlint.runtime.simulate.", "memlint.rules")):
        importlib.import_module(module.name)
"""


def run(command: list[str], *arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**ENVIRONMENT, **more}
    return subprocess.run([*command, *arguments], cwd=cwd, env=environment, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Fifty scripts: every second one leaks, some have the line ends of Windows, one does not parse."""
    for number in range(50):
        text = LEAK if number % 2 else "import torch\nprint(torch.ones(2))\n"
        text = "import torch\nx = (\n" if number == 10 else text
        ends = b"\r\n" if number % 3 == 0 else b"\n"
        tmp_path.joinpath(f"train{number:02}.py").write_bytes(text.encode().replace(b"\n", ends))
    return tmp_path


def test_a_pool_of_spawned_processes_gives_the_same_bytes(project: Path) -> None:
    options = ["check", "--no-cache", "--output-format", "json"]
    plain = run(MEMLINT, *options, "-j1", cwd=project)
    spawned = run(BARE, *options, "-j2", cwd=project)
    assert plain.returncode == spawned.returncode == 1
    assert (spawned.stdout, spawned.stderr) == (plain.stdout, plain.stderr)
    assert len(json.loads(plain.stdout)["findings"]) == 26


def test_files_are_fixed_without_owners_and_with_the_line_ends_of_windows(project: Path) -> None:
    answer = run(BARE, "check", "--fix", "-j2", "--select", "MEM101", cwd=project)
    assert answer.stderr == b"memlint: fixed 25 findings in 25 files\n", answer.stderr
    assert (project / "train01.py").read_bytes() == FIXED.encode()
    assert (project / "train03.py").read_bytes() == FIXED.encode().replace(b"\n", b"\r\n")


def test_a_replay_says_in_one_line_that_it_cannot_run(project: Path) -> None:
    answer = run(BARE, "replay", "train01.py", cwd=project)
    assert answer.returncode == 2
    (line,) = answer.stderr.decode().splitlines()
    assert line.startswith("memlint: error: replay runs on Linux and macOS: this system has no process")


def test_every_module_of_the_static_half_can_be_imported(tmp_path: Path) -> None:
    code = Path(BARE[1]).read_text("utf-8").partition("\nif __name__")[0]
    answer = run([sys.executable, "-c", f"{code}\n{EVERY}"], cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr.decode()


@pytest.mark.parametrize("name", ["json", "sarif", "gitlab", "junit", "markdown", "github"])
def test_reports_in_a_pipe_are_utf8_whatever_the_system_writes(tmp_path: Path, name: str) -> None:
    script = LEAK.replace("total", "größe")
    tmp_path.joinpath("träin.py").write_text(script, encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    answer = run(MEMLINT, "check", "--select", "MEM101", "--output-format", name, cwd=tmp_path, **ascii_only)
    assert answer.returncode == 1, answer.stderr
    text = answer.stdout.decode("utf-8")
    assert "\\x" not in text
    if name in ("json", "sarif", "gitlab"):
        text = json.dumps(json.loads(text), ensure_ascii=False)
    assert "größe" in text


@pytest.mark.parametrize(
    "text",
    [
        "type Batch[T] = list[T]\ndef first[T](items: list[T]) -> T:\n    return items[0]\n",
        'name = "x"\nprint(f"{f"{name}"} {\'\\n\'.join(["a"])}")\n',
        "class Box[T: (int, str) = int]:\n    pass\n",
        'name = "x"\nt = t"hello {name}"\n',
        "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n",
    ],
    ids=["type parameters", "nested f-strings", "defaults", "t-strings", "except without ()"],
)
def test_scripts_of_newer_pythons_are_read_and_fixed(tmp_path: Path, text: str) -> None:
    script = tmp_path / "train.py"
    script.write_text(text + LEAK, encoding="utf-8")
    assert main(["check", str(script), "--fix", "--isolated", *ONLY]) == 0
    assert script.read_text(encoding="utf-8") == text + FIXED
