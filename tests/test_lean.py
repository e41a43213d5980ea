"""libcst's classes are the same however they were imported, but for methods that memlint never calls."""

from __future__ import annotations

import subprocess
import sys

SHOWN = """
import dataclasses
import sys

from memlint.syntax import lean

lean.alone = sys.argv[1] == "alone"
lean.import_libcst()

import libcst as cst

known = [cst.CSTNode]
for kind in known:
    known += [below for below in kind.__subclasses__() if below not in known]
for kind in sorted(known, key=lambda kind: (kind.__module__, kind.__qualname__)):
    fields = dataclasses.fields(kind)
    print(kind.__qualname__, [(f.name, str(f.default).partition(" at ")[0], f.init) for f in fields])
    print(kind.__match_args__, kind.__dict__.get("__slots__"), kind.__eq__.__qualname__)
    print(kind.__repr__.__qualname__, kind.__hash__.__qualname__)
tree = cst.parse_module("def f(a, *, b=1):  # c\\n    return [x for x in a if x(b)], f'{a!r:>{b}}'\\n")
print(tree, tree.code, tree.deep_equals(tree.deep_clone()), tree.with_changes(header=()).code)
print(hash(tree) == hash(tree), tree == tree.deep_clone(), len({tree, tree}))
print(hash(cst.metadata.CodeRange((1, 0), (1, 1))) == hash(cst.metadata.CodeRange((1, 0), (1, 1))))
"""

IS_FROZEN = """
from memlint.engine import check, checks

check.check("import torch\\n", "a.py", checks.Checks(frozenset({"MEM101"}), frozenset(), "a.py"))

import libcst as cst

try:
    cst.Name("a").value = "b"
except AttributeError as error:
    print(type(error).__name__)
"""


def _said_by(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_classes_are_the_same_in_a_process_of_memlints_own() -> None:
    assert _said_by(SHOWN, "alone") == _said_by(SHOWN, "among others")


def test_in_other_processes_nodes_stay_frozen() -> None:
    assert _said_by(IS_FROZEN).strip() == "FrozenInstanceError"


def test_dataclasses_are_the_standard_ones_afterwards() -> None:
    program = """
import dataclasses
before = dataclasses.dataclass
from memlint.syntax import lean
lean.alone = True
lean.import_libcst()
print(dataclasses.dataclass is before)
"""
    assert _said_by(program).strip() == "True"
