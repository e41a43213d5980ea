"""Who may import whom, and what every subcommand offers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import memlint
from memlint import commands

PACKAGE = Path(memlint.__file__).parent
ROOT = PACKAGE.parent


def test_the_layers_hold() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run([str(lint), "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_every_command_has_its_module() -> None:
    for name in commands.COMMANDS:
        text = (PACKAGE / "commands" / f"{name.replace('-', '_')}.py").read_text(encoding="utf-8")
        names = {n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
        assert {"add_arguments", "run"} <= names


def test_the_map_of_the_analysis_names_every_module() -> None:
    folder = PACKAGE / "analysis"
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    modules = {path.stem for path in folder.iterdir() if path.stem not in ("__init__", "__pycache__")}
    assert {name.split(".")[0] for name in re.findall(r"`([\w.]+)`", text)} == modules
