"""What is read of other files: outlines, definitions that imports lead to, and what a check leaves behind."""

from __future__ import annotations

import ast
import gc
import weakref
from pathlib import Path

from memlint.analysis.model import ScriptModel
from memlint.analysis.project import SHORT, Project
from memlint.modules import Modules, Place
from memlint.outline import Outline

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
    assert modules.resolve(script, "kit.train_step") == Place(steps, "train_step", "")
    assert modules.resolve(script, "kit.Meter.update") == Place(helpers, "Meter", "update")
    assert modules.resolve(script, "kit.absent") is None
    assert modules.resolve(script, "elsewhere.thing") is None


def test_long_definitions_are_read_when_what_they_use_speaks_of_training(tmp_path: Path) -> None:
    known = project(tmp_path)
    helpers = tmp_path / "kit" / "helpers.py"
    assert known.unit(helpers, "Trainer") is not None
    assert known.unit(helpers, "Meter") is not None
    assert known.unit(helpers, "Table") is None
    assert known.unit(helpers, "NAMES") is None


def test_words_reach_what_the_definitions_use_and_no_more() -> None:
    text = "def one():\n    return two()\n\ndef two():\n    return deep\n\ndef three():\n    return other\n"
    reached = Outline.of(text, ast.parse(text)).reach(frozenset({"one"}))
    assert {"two", "deep"} <= reached
    assert "other" not in reached


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
