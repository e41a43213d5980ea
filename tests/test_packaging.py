"""Every way to install memlint brings the rules along, and runs a script with the user's search path."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from memlint import __version__
from memlint.catalogue import load
from tests.once import made_once
from tools import requirements

ROOT = Path(__file__).parent.parent
LEAK = """\
import torch

model = torch.nn.Linear(4, 1)
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    loss.backward()
    total += loss
"""
STATE = """\
'''What a script sees of its interpreter, in its own process and in one that it spawns.'''
import __main__, json, multiprocessing, os, sys

def state():
    # What a replay adds is called after it.
    own = {name: repr(value) for name, value in vars(__main__).items() if name[:2] == "__"}
    own = {name: value for name, value in own.items() if "memlint" not in name}
    found = [sys.path, sys.argv, sys.executable, os.getcwd(), os.environ.get("PYTHONPATH"), own]
    kinds = [str(finder) for finder in sys.meta_path if "memlint" not in str(finder)]
    return [*found, kinds, str(sys.flags)]

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(json.dumps([state(), sys.orig_argv[1:], pool.apply(state)]), file=open(os.environ["SEEN"], "w"))
"""
SAME_RULES = """
'''Whether the rules that were read when memlint was built are those of the files, examples included.'''
from dataclasses import replace
from memlint import catalogue
ready = catalogue.load()
place = catalogue.rules_directory() / catalogue.COMPILED
assert place.read_text(encoding="utf-8") == catalogue.compiled()
place.unlink()
catalogue.load.cache_clear()
for fast, slow in zip(ready, catalogue.load(), strict=True):
    fast, slow = (replace(rule, bad=tuple(rule.bad), good=tuple(rule.good)) for rule in (fast, slow))
    assert fast == slow, fast.code
print(len(ready), "rules")
"""
# The environment without what would make the source tree importable.
# A replay settles how text is hashed, and loads the project's files by a SourceFileLoader of its own.
DIFFERS = re.compile(
    r" at 0x\w+|hash_randomization=\d|_frozen_importlib_external\.SourceFileLoader"
    r"|memlint\.runtime\.child\.limits\.rewrite\.Loader"
)
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def call(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, env={**ENVIRONMENT, **environment}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist."""

    def make(folder: Path) -> None:
        answer = call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
        assert answer.returncode == 0, answer.stdout + answer.stderr

    return made_once(tmp_path_factory, "dist", make)


def environment_with(target: Path, *what: object, options: Sequence[str] = (), **environment: str) -> Path:
    """A fresh virtual environment with memlint installed; the dependencies come from the running one.

    With `options` for pip it is one that sees the packages of the system and of the user.
    """
    kind = ["--system-site-packages"] if options else []
    make = (sys.executable, "-m", "venv", "--without-pip", *kind, target)
    assert call(*make, cwd=target.parent).returncode == 0
    python = target / "bin" / "python"
    paths = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    own = call(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=target
    ).stdout.strip()
    (Path(own) / "dependencies.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps"]
    pip += ["--no-build-isolation", "--ignore-installed", *options]
    answer = call(*pip, *what, cwd=target, **environment)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return python


def assert_works(folder: Path, *command: object, **environment: str) -> None:
    """From a folder that has rules of its own, every rule is known and a leak is found and fixed."""
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "__init__.py").write_text("raise RuntimeError('not your rules')\n", encoding="utf-8")
    (folder / "train.py").write_text(LEAK, encoding="utf-8")
    assert call(*command, "--version", cwd=folder, **environment).stdout == f"memlint {__version__}\n"
    listing = call(*command, "rule", "--all", cwd=folder, **environment)
    assert listing.returncode == 0, listing.stderr
    assert all(f"{rule.code}  " in listing.stdout for rule in load())
    select = ("check", "train.py", "--select", "MEM101")
    found = call(*command, *select, cwd=folder, **environment)
    assert found.returncode == 1, found.stderr
    assert found.stdout.startswith("train.py:8:5: warning[MEM101]")
    assert call(*command, *select, "--fix", cwd=folder, **environment).returncode == 0


def assert_replays(folder: Path, python: Path, *before: str, **environment: str) -> None:
    """A replayed script sees what one sees that Python starts, entry by entry."""
    (folder / "a package").mkdir(parents=True)
    script = folder / "a package" / "train it.py"
    script.write_text(STATE, encoding="utf-8")
    words = [*before, "train" if before else f"a package{os.sep}train it.py", "--lr", "0 1"]
    where = script.parent if before else folder
    if before:
        script.rename(where / "train.py")
    seen = [folder / "plain.json", folder / "replayed.json"]
    plain = call(python, *words, cwd=where, **environment, SEEN=str(seen[0]))
    assert plain.returncode == 0, plain.stderr
    replay = (python, "-m", "memlint", "replay", "--no-sandbox", "--no-fix", *words)
    answer = call(*replay, cwd=where, **environment, SEEN=str(seen[1]), OMP_NUM_THREADS="1")
    assert answer.returncode == 0, answer.stderr
    wanted, found = (json.loads(file.read_text(encoding="utf-8")) for file in seen)
    for old, new in zip(wanted, found, strict=True):
        assert [DIFFERS.sub("", str(part)) for part in new] == [DIFFERS.sub("", str(part)) for part in old]


def test_the_wheel(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"memlint/rules/{rule.path.name}" for rule in load()} <= names
    assert {"memlint/rules/_schema.json", "memlint/py.typed", "memlint/report/schema.json"} <= names
    assert not [name for name in names if name.startswith(("tests/", "fixtures/", "rules/"))]
    # The examples of tests/rules stay out: with the rule files come the schema and the index, no more.
    shipped = {Path(name).suffix for name in names if name.startswith("memlint/rules/")}
    assert shipped == {".toml", ".json", ".md"}
    python = environment_with(tmp_path / "an environment", wheel)
    assert_works(tmp_path / "elsewhere", python.with_name("memlint"))
    said = call(python, "-c", SAME_RULES, cwd=tmp_path)
    assert said.stdout == f"{len(load())} rules\n", said.stderr
    for command in ((python.with_name("torch-memlint"),), (python, "-m", "memlint")):
        assert call(*command, "--version", cwd=tmp_path).stdout == f"memlint {__version__}\n"
    assert_replays(tmp_path / "replayed", python)


def test_the_sdist(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "rules/_schema.json",
        "examples/train.py",
        "README.md",
        "LICENSE",
        "tests/test_packaging.py",
    } <= names
    python = environment_with(tmp_path / "env", sdist)
    assert_works(tmp_path / "elsewhere", python.with_name("memlint"))
    assert_replays(tmp_path / "replayed", python, "-m")


def test_the_wheel_in_a_users_own_packages(built: Path, tmp_path: Path) -> None:
    """Beside it an environment that sees the packages of the system."""
    user = {"PYTHONUSERBASE": str(tmp_path / "user base")}
    python = environment_with(tmp_path / "env", *built.glob("*.whl"), options=["--user"], **user)
    assert (tmp_path / "user base").is_dir()
    (tmp_path / "shared").mkdir()
    assert_replays(tmp_path / "replayed", python, PYTHONPATH=str(tmp_path / "shared"), **user)


def test_the_editable_install(tmp_path: Path) -> None:
    python = environment_with(tmp_path / "env", "-e", ROOT)
    where = call(python, "-c", "import memlint; print(memlint.__file__)", cwd=tmp_path).stdout.strip()
    assert Path(where) == ROOT / "memlint" / "__init__.py"
    assert_works(tmp_path / "elsewhere", python.with_name("memlint"))
    assert_replays(tmp_path / "replayed", python, PYTHONSAFEPATH="1")


def test_every_dependency_has_a_lowest_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest = requirements.floors(project)
    assert len(lowest) == len(project["dependencies"]) + len(project["optional-dependencies"]["replay"])
    assert all(re.fullmatch(r"[\w-]+==\d[\d.]*", line) for line in lowest)
    assert [line.partition("==")[0] for line in requirements.pinned(project)] == ["shtab", "torch"]


def test_the_source_tree(tmp_path: Path) -> None:
    assert_works(tmp_path / "elsewhere", sys.executable, "-m", "memlint", PYTHONPATH=str(ROOT))
    assert_replays(tmp_path / "replayed", Path(sys.executable), PYTHONPATH=str(ROOT))
