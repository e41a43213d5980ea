"""Private names of torch: all in one module, each probed, and what its absence costs said in one line."""

from __future__ import annotations

import ast
import ctypes
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memlint.runtime import start
from memlint.runtime.parent import arms
from tests.runtime.simulated import needs_simulation
from tests.runtime.support import measure, needs_torch, script

RUNTIME = Path(arms.__file__).parents[1]
PATH = re.compile(r"torch(\.\w+)*\._[a-zA-Z][\w.]*")
OF_PYTHON = {"os._exit", "sys._getframe", "sys._current_frames"}


def written_in(tree: ast.AST) -> Iterator[str]:
    """Attributes and names that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for name in targets if isinstance(name, ast.Name))


def foreign(tree: ast.AST, own: set[str]) -> Iterator[str]:
    """Private names, not of memlint, that a module uses: as attributes, by import, or as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            private = node.attr.startswith("_") and not node.attr.startswith("__")
            if private and node.attr not in own and text not in OF_PYTHON:
                yield text
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (p for n in node.names if PATH.match(p := f"{node.module}.{n.name}"))
        elif isinstance(node, ast.Import):
            yield from (n.name for n in node.names if PATH.match(n.name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PATH.fullmatch(node.value):
            yield node.value


def test_only_the_modules_for_it_know_private_names_of_torch() -> None:
    trees = {
        path.relative_to(RUNTIME).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in RUNTIME.rglob("*.py")
    }
    assert "simulate/probe.py" in trees
    own = {name for tree in trees.values() for name in written_in(tree) if name.startswith("_")}
    own -= {"_apply", "_scatter", "_get_accelerator", "_lazy_init", "_sleep", "_cuda_resetPeakMemoryStats"}
    knowing = {"child/torch_names.py", "child/private.py", "simulate/private.py"}
    found = {name: sorted(set(foreign(tree, own))) for name, tree in trees.items() if name not in knowing}
    assert {name: texts for name, texts in found.items() if texts} == {}
    assert all(set(foreign(trees[name], own)) for name in knowing)


def hide(path: str, patch: pytest.MonkeyPatch) -> None:
    """Let a name of torch be None, or its owner where that is written in C."""
    from memlint.runtime.child.torch_names import find

    owner, _, name = path.rpartition(".")
    try:
        patch.setattr(find(owner), name, None)
    except TypeError:
        hide(owner, patch)


def names() -> list[Any]:
    from memlint.runtime.child import torch_names

    return list(torch_names.NAMES)


@needs_torch
def test_every_name_that_is_missing_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    for name in names():
        with monkeypatch.context() as patch:
            hide(name.path, patch)
            found = runpy.run_path(str(RUNTIME / "child" / "torch_names.py"))
        if name.needed:
            assert found["lacks"](True) == f"torch {torch.__version__} has no {name.path}: {name.lost}"
            assert found["lacks"](False) == ("" if name.simulated else found["lacks"](True))
        else:
            assert found["missing"](True) == ([name.lost] if name.lost else []), name.path
            assert found["missing"](False) == ([] if name.simulated else found["missing"](True))
            assert found["lacks"](True) == ""


CHILD = """
import importlib.util, json, os, runpy, sys
name = os.environ.pop("CHILD")
runpy.run_path(name)["provide"]()
# Torch itself goes on using the names: only memlint does not find them.
hidden = json.loads(os.environ.pop("HIDDEN"))
found = importlib.util.find_spec("memlint.runtime.child.torch_names")
code = found.loader.get_source(found.name).replace("def find(path", "def _real(path", 1)
names = importlib.util.module_from_spec(found)
names.__dict__["find"] = lambda path: None if path in hidden else names._real(path)
sys.modules[found.name] = names
exec(compile(code, found.origin, "exec"), names.__dict__)
import memlint.runtime.child.run
memlint.runtime.child.torch_names = names
with open(name, encoding="utf-8") as file:
    code = compile(file.read(), name, "exec")
exec(code, {"__name__": "__main__", "__file__": name})
"""

SCRIPT = """
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
net = torch.nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    loss = net(torch.ones(1, 8, device=device)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
"""


@needs_simulation
@pytest.mark.parametrize("device", ["cpu", "simulate"])
def test_a_torch_without_all_that_can_be_missing_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    gone = [name for name in names() if not name.needed and (name.simulated <= (device == "simulate"))]
    file, child = script(tmp_path / "home", SCRIPT), script(tmp_path / "child", CHILD, "child.py")
    monkeypatch.setenv("HIDDEN", json.dumps([name.path for name in gone]))
    monkeypatch.setenv("CHILD", start.__file__)
    monkeypatch.setattr(arms, "start", SimpleNamespace(__file__=str(child)))
    arm = measure(file, tmp_path / "w", device=device)
    assert (arm.stopped, str(arm.failure), len(arm.steps)) == ("the script ended", "None", 3)
    weights = (8 * 8 + 8) * 4
    assert arm.kinds["parameter"] == weights
    assert arm.kinds["gradient"] == weights
    lost = {name.lost for name in gone if name.lost}
    assert {note for note in arm.notes if "this torch" in note} == lost


@needs_torch
def test_nothing_is_missing_here() -> None:
    from memlint.runtime.child import torch_names

    assert torch_names.missing(simulated=True) == []
    assert torch_names.lacks(simulated=True) == ""


HEADER = """
#pragma once
namespace at {
// struct Hooks { virtual int not_this() };
struct TORCH_API Hooks : Base {
  ~Hooks() override = default;
  /* virtual void neither(); */
  virtual bool first(int i) const { if (i) { return false; } return i == 1; }
  virtual const Generator& second(
      [[maybe_unused]] int index = -1) const = 0;
  bool first_of_base(int) const override { return true; }
#ifdef USE_ROCM
  virtual bool only_rocm() const;
#endif
  virtual ~Hooks() = default;
  virtual void last() const noexcept {}
  int plain() { return 0; }
};
struct Other { virtual void not_that(); };
}
"""


@needs_torch
def test_entries_of_virtual_tables_are_read_from_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlint.runtime.simulate.patches import vtables

    (tmp_path / "h.h").write_text(HEADER, encoding="utf-8")
    monkeypatch.setattr(vtables, "_INCLUDE", tmp_path)
    found = vtables.functions("h.h", "Hooks")
    assert found == [
        ("bool", "first"), ("const Generator&", "second"), ("", "~Hooks"), ("void", "last")
    ]  # fmt: skip
    entries = vtables.slots(found)
    assert entries == {"first": 0, "second": 1, "~Hooks": 2, "last": 4}
    assert vtables.length(entries) == 5
    assert vtables.length(vtables.slots(found[:3])) == 4
    with pytest.raises(LookupError, match="no struct Another"):
        vtables.functions("h.h", "Another")


@needs_simulation
def test_headers_and_library_agree_or_nothing_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.simulate.patches import guard, vtables

    hooks, _ = guard._declared()
    table = ctypes.c_char.in_dll(guard._library("libtorch_cpu.so"), guard._HOOKS_TABLE)
    assert vtables.entries(ctypes.addressof(table)) == vtables.length(hooks) + 2
    assert guard.why_not() == ""
    monkeypatch.setattr(guard.vtables, "entries", lambda table: 7)
    assert guard.why_not() == "the C++ headers of this torch are not those of its libraries"
    monkeypatch.setattr(guard, "_declared", lambda: ({"~A": 0, "hasPrimaryContext": 2}, []))
    assert "asks for its CUDA devices in another way" in guard.why_not()

    def absent() -> None:
        raise FileNotFoundError("no header")

    monkeypatch.setattr(guard, "_declared", absent)
    assert guard.why_not() == "this torch lacks what it replaces (no header)"


@needs_simulation
def test_a_trial_counts_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime.simulate import selfcheck

    text = (
        "from memlint.runtime.simulate import selfcheck\n"
        "selfcheck._LOSS = 1024\n"
        "selfcheck.main()\n"
    )  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(RUNTIME.parents[1]), "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
    held = 2 * selfcheck._WEIGHT + selfcheck._BATCH
    assert done.stdout == f"after backward of step 1 a trial holds {held + 512:,} B, not {held + 1024:,} B\n"


@needs_simulation
def test_a_trial_has_processor_time_and_not_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.runtime import simulate

    endless = (
        "import resource\n"
        "from memlint.runtime.simulate import selfcheck\n"
        "selfcheck.SECONDS = 1\n"
        "selfcheck._limit()\n"
        "while True: pass\n"
    )  # fmt: skip
    monkeypatch.setattr(simulate.start, "code", lambda trial: endless)
    monkeypatch.setenv("PYTHONPATH", str(RUNTIME.parents[1]))
    assert simulate.why_not() == f"a trial did not end within {simulate.SECONDS} s of processor time"
