"""Whether a file is a test, a benchmark of an API or a smoke run: code that is run briefly and then dropped.

What wastes memory in a training script costs nothing there, and graphs and caches are often the point.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memlint.catalogue import ALWAYS
from memlint.finding import Finding
from memlint.project import gate

Function = ast.FunctionDef | ast.AsyncFunctionDef

_RUNNERS = frozenset({"pytest", "unittest", "nose", "hypothesis", "parameterized"})
_RUNNER_MODULES = ("absl.testing", "torch.testing._internal")
_FOLDERS = frozenset({"tests", "unittest", "unittests", "unit_tests", "test_utils"})
# In research code these also hold the scripts that evaluate a trained model; such a script takes arguments.
_OFTEN_TESTS = frozenset({"test", "testing"})
_COMMAND_LINES = frozenset({"argparse", "click", "fire", "hydra", "typer", "absl.flags", "absl.app"})
_BENCHMARKS = frozenset({"benchmark", "benchmarks"})
_TRAINING = frozenset({
    "backward", "fit", "minimize", "optim", "Trainer", "GradientTape",
    "Dataset", "DataLoader", "load_dataset",
})  # fmt: skip
# Not every name with "smoke": networks look for it in pictures.
_ALWAYS_TEST = re.compile(r"(conftest|smoke|(.*_)?smoke_?(tests?|run))\.py")
_NAMED_AS_TEST = re.compile(r"test_.*\.(py|ipynb)|.*_test\.(py|ipynb)")
_CHECKS = "testing.py"


def told(findings: tuple[Finding, ...], path: str, tree: ast.Module | None) -> tuple[Finding, ...]:
    """The findings of a file that count: in a test what makes it fail, and what packs report; else all."""
    breaking = tuple(f for f in findings if f.breaks_run or f.code in ALWAYS or f.pack)
    return findings if len(breaking) == len(findings) or not is_test(path, tree) else breaking


def is_test(path: str, tree: ast.Module | None) -> bool:
    """Whether a file is a test by its path in the project or by its use of pytest or unittest.

    A file called `test_net.py` is often a script that evaluates a network: it counts where it holds
    functions that pytest would collect and that no code of its own calls.
    Where `tree` is None, the path alone decides.
    """
    place = PurePosixPath(path)
    folders = {part.lower() for part in place.parts[:-1]}
    if _ALWAYS_TEST.fullmatch(place.name) is not None or not _FOLDERS.isdisjoint(folders):
        return True
    named = _NAMED_AS_TEST.fullmatch(place.name) is not None
    if tree is None:
        return named or not (_OFTEN_TESTS | _BENCHMARKS).isdisjoint(folders)
    imported = set(_imported(tree))
    if not _OFTEN_TESTS.isdisjoint(folders) and _COMMAND_LINES.isdisjoint(imported):
        return True
    if not _BENCHMARKS.isdisjoint(folders) and gate.vocabulary(tree).isdisjoint(_TRAINING):
        return True
    if place.name == _CHECKS and "AssertionError" in gate.vocabulary(tree):
        return True  # what a library gives its users to test with, not a script that tests a network
    if _uses_runner(imported):
        return next(_collected(tree), None) is not None
    return named and any(_is_meant_for_a_runner(function, tree) for function in _collected(tree))


def may_be_test(path: str, text: str) -> bool:
    """Whether `is_test` need be asked: a file that is none of them by its path uses one of the runners."""
    place = PurePosixPath(path)
    folders = {part.lower() for part in place.parts[:-1]}
    named = (_ALWAYS_TEST.fullmatch(place.name) or _NAMED_AS_TEST.fullmatch(place.name)) is not None
    named = named or place.name == _CHECKS
    spoken = any(runner in text for runner in (*_RUNNERS, "testing"))
    return named or spoken or not (_FOLDERS | _OFTEN_TESTS | _BENCHMARKS).isdisjoint(folders)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The packages that the file imports anywhere, and the dotted paths, `from` names included."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for _, dotted in gate.bound(node):
                yield from (dotted, dotted.partition(".")[0])


def _uses_runner(imported: set[str]) -> bool:
    modules = tuple(f"{module}." for module in _RUNNER_MODULES)
    return not _RUNNERS.isdisjoint(imported) or any(f"{path}.".startswith(modules) for path in imported)


def _collected(tree: ast.Module) -> Iterator[Function]:
    """The functions that pytest or unittest would run: `test_...`, also as methods of test classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_test_class(node):
            yield from _named_test(node.body)
    yield from _named_test(tree.body)


def _is_test_class(node: ast.ClassDef) -> bool:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    if any(base.endswith("TestCase") for base in bases):
        return True
    built = any(isinstance(part, Function) and part.name == "__init__" for part in node.body)
    return re.match(r"Test(?![a-z])|.*Tests?$", node.name) is not None and not built


def _named_test(body: list[ast.stmt]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, Function) and re.match(r"test_|test[A-Z0-9]", node.name):
            yield node


def _is_meant_for_a_runner(function: Function, tree: ast.Module) -> bool:
    """Whether a `test_...` of a file that imports no test runner is one: it asserts, or nothing calls it."""
    for node in ast.walk(function):
        called = _called(node)
        if isinstance(node, ast.Assert) or called.lower().startswith("assert"):
            return True
    arguments = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return arguments in ([], ["self"]) and all(_called(node) != function.name for node in ast.walk(tree))


def _called(node: ast.AST) -> str:
    """The last name of what a call calls, "" for all else."""
    if not isinstance(node, ast.Call):
        return ""
    called = node.func
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
