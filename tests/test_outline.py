"""What is read of other files: outlines, definitions that imports lead to, and what a check leaves behind."""

from __future__ import annotations

import ast
import gc
import weakref
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.analysis.imported import SHORT, Project
from memlint.analysis.model import ScriptModel
from memlint.engine import check as engine
from memlint.finding import FileReport
from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules, Place
from memlint.project.outline import Outline

PROJECTS = Path(__file__).parent / "corpus" / "projects"
FILLING = "\n".join(f"    field_{number} = {number}" for number in range(SHORT // 12))
HELPERS = f"""
from .steps import train_step

class Table:
{FILLING}

class Trainer:
{FILLING}
    def run(self, batch):
        return train_step(batch)

class Meter:
    def update(self, value):
        self.total += value

NAMES = sorted(["a", "b"])
"""
STEPS = """
def train_step(batch):
    batch.mean().backward()
"""


def project(folder: Path) -> Project:
    """A package whose `__init__` passes on what its two modules define."""
    package = folder / "kit"
    package.mkdir()
    (package / "__init__.py").write_text("from .helpers import *\nfrom .steps import train_step\n", "utf-8")
    (package / "helpers.py").write_text(HELPERS, "utf-8")
    (package / "steps.py").write_text(STEPS, "utf-8")
    return Project(Modules(folder))


def test_an_import_leads_through_the_package_to_the_definition(tmp_path: Path) -> None:
    modules = project(tmp_path).modules
    script = tmp_path / "train.py"
    steps, helpers = tmp_path / "kit" / "steps.py", tmp_path / "kit" / "helpers.py"
    assert modules.resolve(script, "kit.train_step", Dependencies()) == Place(steps, "train_step", "")
    assert modules.resolve(script, "kit.Meter.update", Dependencies()) == Place(helpers, "Meter", "update")
    assert modules.resolve(script, "kit.absent", Dependencies()) is None
    assert modules.resolve(script, "elsewhere.thing", Dependencies()) is None


def test_long_definitions_are_read_when_what_they_use_speaks_of_training(tmp_path: Path) -> None:
    known = project(tmp_path)
    helpers = tmp_path / "kit" / "helpers.py"
    assert known.unit(helpers, "Trainer", Dependencies()) is not None
    assert known.unit(helpers, "Meter", Dependencies()) is not None
    assert known.unit(helpers, "Table", Dependencies()) is None
    assert known.unit(helpers, "NAMES", Dependencies()) is None


def test_words_reach_what_the_definitions_use_and_no_more() -> None:
    text = "def one():\n    return two()\n\ndef two():\n    return deep\n\ndef three():\n    return other\n"
    reached = Outline.of(text, ast.parse(text)).reach(frozenset({"one"}))
    assert {"two", "deep"} <= reached
    assert "other" not in reached


def test_only_names_are_bound_by_assignments() -> None:
    text = "import os\nos.environ['A'] = '1'\nfirst, (second, *rest) = one.two = three\nrows[0]: int = 4\n"
    outline = Outline.of(text, ast.parse(text))
    assert sorted(outline.definitions) == ["first", "rest", "second"]
    assert outline.imports == {"os": ["os"]}


def test_files_come_after_those_that_they_import(tmp_path: Path) -> None:
    modules = project(tmp_path).modules
    steps, helpers, package = (tmp_path / "kit" / name for name in ("steps.py", "helpers.py", "__init__.py"))
    circle, script = tmp_path / "circle.py", tmp_path / "a_script.py"
    script.write_text("if True:\n    from kit import (\n        Meter,\n        steps)\n", "utf-8")
    circle.write_text("import a_script, circle\n", "utf-8")
    ordered = modules.imported_first([circle, script, package, helpers, steps])
    assert ordered == [steps, helpers, package, script, circle]
    assert modules.imported_first([script]) == [script]
    steps.write_text("import kit\n", "utf-8")
    assert sorted(modules.imported_first([package, steps])) == [package, steps]


@pytest.mark.parametrize("name", sorted(p.name for p in PROJECTS.iterdir() if p.is_dir()))
def test_findings_do_not_depend_on_the_order_of_files(name: str) -> None:
    files = sorted((PROJECTS / name).rglob("*.py"))
    found = []
    for order in (files, files[::-1]):
        engine.modules_below.cache_clear()
        reports = {file: report(file, PROJECTS / name).findings for file in order}
        found.append([reports[file] for file in files])
    assert found[0] == found[1]


def report(file: Path, root: Path) -> FileReport:
    """What is found in a file of a project."""
    codes = frozenset(rule.code for rule in catalogue.load())
    checks = engine.Checks(codes, frozenset(), file.name, None, str(root))
    return engine.check(file.read_text("utf-8"), str(file), checks)


def test_a_model_is_freed_without_the_garbage_collector() -> None:
    gc.disable()
    try:
        model = ScriptModel.parse("import torch\nfor x in y:\n    loss = x.mean()\n    loss.backward()\n")
        machine = model.machine
        assert machine.trace.loops
        gone = weakref.ref(model)
        del model, machine
        assert gone() is None
    finally:
        gc.enable()
