"""Every test asserts something: an assert, pytest.raises, or a helper whose own body does."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DATA = ("rules", "corpus", "data")
FILES = [path for path in TESTS.rglob("*.py") if not set(path.relative_to(TESTS).parts) & set(DATA)]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def functions(path: Path) -> tuple[Function, ...]:
    """All functions of a file, methods and nested ones too."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, Function))


def called(function: Function) -> set[str]:
    """The last names of what a function calls or is given to call, its fixtures among them."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    return names | attributes | {argument.arg for argument in function.args.args}


def asserts(function: Function) -> bool:
    """Whether the body itself can fail for what it looks at."""
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Attribute) and node.attr in ("raises", "fail") and _is_pytest(node.value))
        for node in ast.walk(function)
    )


def _is_pytest(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "pytest"


def helpers(own: Path) -> dict[str, Function]:
    """The functions that a test may lean on: those of its file and of the modules that are no tests."""
    shared = [path for path in FILES if not path.name.startswith("test_")]
    return {f.name: f for path in [*shared, own] for f in functions(path) if not f.name.startswith("test_")}


def asserting(own: Path) -> set[str]:
    """The names of the helpers and fixtures that assert, by themselves or through one another."""
    known = helpers(own)
    found = {name for name, function in known.items() if asserts(function)}
    while more := {name for name, function in known.items() if called(function) & found} - found:
        found |= more
    return found


@pytest.mark.parametrize("path", [p for p in FILES if p.name.startswith("test_")], ids=lambda p: p.stem)
def test_every_test_asserts_something(path: Path) -> None:
    tests = [function for function in functions(path) if function.name.startswith("test_")]
    doubtful = [function for function in tests if not asserts(function)]
    loud = asserting(path) if doubtful else set()
    assert [function.name for function in doubtful if not called(function) & loud] == []


def test_a_test_without_assertion_is_seen() -> None:
    (silent,) = ast.parse("def test_it(thing):\n    thing.run()\n").body
    (loud,) = ast.parse("def test_it(thing):\n    assert thing.run()\n").body
    assert isinstance(silent, ast.FunctionDef)
    assert isinstance(loud, ast.FunctionDef)
    assert [asserts(silent), asserts(loud)] == [False, True]
