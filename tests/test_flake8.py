"""memlint as a plugin: what flake8 itself prints, selects and silences."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import tomli

import memlint.flake8
from tests.command import ENVIRONMENT, LEAK

ROOT = Path(__file__).parent.parent
PROJECT = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
POINTS = PROJECT["entry-points"]["flake8.extension"]

NET = LEAK.replace("    total += loss\n", "    total += loss  # MARK\n")
KERAS = """\
import tensorflow as tf
data = tf.data.Dataset.range(9).batch(3).shuffle(9)
"""


def flake8(folder: Path, *options: str, **files: str) -> list[str]:
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
    config = "[flake8]\n"
    if not any(point.name == "MEM" for point in entry_points(group="flake8.extension")):
        # Of an installation that is older than the entry points.
        config += "[flake8:local-plugins]\nextension =\n"
        config += "".join(f"    {name} = {value}\n" for name, value in POINTS.items())
    folder.joinpath(".flake8").write_text(config, encoding="utf-8")
    command = [sys.executable, "-m", "flake8", "-j1", *options, "."]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_entry_points_lead_to_plugins_of_their_prefix() -> None:
    for prefix, value in POINTS.items():
        module, _, name = value.partition(":")
        plugin = getattr(memlint.flake8, name)
        assert (module, plugin.PREFIX) == (memlint.flake8.__name__, prefix)


def test_flake8_reports_selects_and_silences(tmp_path: Path) -> None:
    files = {
        "leak": NET,
        "keras": KERAS,
        "known": NET.replace("MARK", "noqa: MEM101"),
        "bare": NET.replace("MARK", "noqa"),
        "plain": "x = 1\n",
        "broken": "import torch\nx = (\n",
    }
    found = flake8(tmp_path, **files)
    ours = [line for line in found if " MEM" in line or " MTF" in line]
    assert [line.partition(" ")[0] for line in ours] == ["./keras.py:2:42:", "./leak.py:11:5:"]
    assert " MTF" in ours[0]
    assert ours[1].startswith("./leak.py:11:5: MEM101 `total` keeps")
    assert any("broken.py" in line and "E999" in line for line in found)
    assert flake8(tmp_path, "--select", "MTF") == ours[:1]
    assert flake8(tmp_path, "--extend-ignore", "MEM1,MTF,E,W,F") == []


def test_the_settings_are_those_of_memlint(tmp_path: Path) -> None:
    tmp_path.joinpath("memlint.toml").write_text('ignore = ["MEM101"]\n', encoding="utf-8")
    assert flake8(tmp_path, "--select", "MEM", leak=NET) == []
    tmp_path.joinpath("memlint.toml").write_text('ignor = ["MEM101"]\n', encoding="utf-8")
    command = [sys.executable, "-m", "flake8", "-j1", "leak.py"]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode != 0
    assert "unknown key `ignor`" in done.stderr + done.stdout


@pytest.mark.parametrize("text", ["", "import torch\n", "\N{SNOWMAN} = 1\n"])
def test_files_without_findings_give_none(text: str) -> None:
    import ast

    tree = ast.parse("")
    assert list(memlint.flake8.Plugin(tree, "a.py", text.splitlines(keepends=True)).run()) == []
