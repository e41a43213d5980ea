"""Every way to install memlint brings the rules along: sdist, wheel, editable install, source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from memlint import __version__
from memlint.catalogue import load

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
# The environment without what would make the source tree importable.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def call(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, env={**ENVIRONMENT, **environment}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    answer = call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder


def environment_with(target: Path, *what: object) -> Path:
    """A fresh virtual environment with memlint installed; the dependencies come from the running one."""
    assert call(sys.executable, "-m", "venv", "--without-pip", target, cwd=target.parent).returncode == 0
    python = target / "bin" / "python"
    paths = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    own = call(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=target
    ).stdout.strip()
    (Path(own) / "dependencies.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps"]
    answer = call(*pip, "--no-build-isolation", "--ignore-installed", *what, cwd=target)
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


def test_the_wheel(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"memlint/rules/{rule.path.name}" for rule in load()} <= names
    assert {"memlint/rules/_schema.json", "memlint/py.typed", "memlint/report/schema.json"} <= names
    assert not [name for name in names if name.startswith(("tests/", "fixtures/", "rules/"))]
    python = environment_with(tmp_path / "env", wheel)
    for number, script in enumerate(("memlint", "torch-memlint")):
        assert_works(tmp_path / f"elsewhere{number}", python.with_name(script))
    assert_works(tmp_path / "elsewhere2", python, "-m", "memlint")


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


def test_the_editable_install(tmp_path: Path) -> None:
    python = environment_with(tmp_path / "env", "-e", ROOT)
    where = call(python, "-c", "import memlint; print(memlint.__file__)", cwd=tmp_path).stdout.strip()
    assert Path(where) == ROOT / "memlint" / "__init__.py"
    assert_works(tmp_path / "elsewhere", python.with_name("memlint"))


def test_the_source_tree(tmp_path: Path) -> None:
    assert_works(tmp_path / "elsewhere", sys.executable, "-m", "memlint", PYTHONPATH=str(ROOT))
