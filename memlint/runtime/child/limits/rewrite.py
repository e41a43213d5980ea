"""Runs the project's own files from a syntax tree that was changed on the way, where a run asks for that.

What is changed is told by `ast.NodeTransformer`s. Places stay as they are, and so does the text:
tracebacks, `inspect.getsource` and what reads it (TorchScript, Triton) see the file as it was written.
"""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_COMPILERS = frozenset(
    "autotune cfunc compile generated_jit guvectorize heuristics jax jit jitclass nb njit numba pjit script "
    "script_method stencil taichi ti triton vectorize".split()
)
"""Parts of the names of decorators, and of functions, that make machine code from a function's bytecode."""


class Transformer(ast.NodeTransformer):
    """Changes the tree of one file; functions that something compiles are left alone.

    `path` is the file; `visit` is given its module first.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.scope: list[str] = []
        self._compiled: frozenset[str] = frozenset()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Find out which functions are handed to a compiler by name, then go on."""
        self._compiled = frozenset(_handed_over(node))
        return self.generic_visit(node)

    def _of_scope(self, node: Any) -> ast.AST:
        if node.name in self._compiled or any(map(_compiles, node.decorator_list)):
            return node  # type: ignore[no-any-return]
        self.scope.append(node.name)
        try:
            return self.generic_visit(node)
        finally:
            self.scope.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _of_scope  # noqa: N815 - names of ast


Make = Callable[[str], ast.NodeTransformer]
"""Gives the transformer for the file at a path."""


class Rewriter:
    """Compiles files of the project through `transformers`, in their order.

    `names` are what the changed code calls. They are globals of every changed module, so that a function
    which is pickled by value takes them along, and builtins for code that is run with other globals.
    `failed` is called with what goes wrong in a transformer; the file then runs unchanged.
    """

    def __init__(
        self,
        owns: Callable[[str], bool],
        transformers: Sequence[Make],
        names: Mapping[str, Any],
        failed: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        self.owns = owns
        self.transformers = transformers
        self.names = names
        self.failed = failed

    def install(self) -> None:
        """Compile every file of the project that is run or imported from now on."""
        global _installed
        _installed = self
        vars(builtins).update(self.names)
        sys.meta_path.insert(0, _Finder(self))


_installed = Rewriter(lambda path: False, (), {})


def compiled(source: str | bytes, path: str) -> types.CodeType:
    """The code of a file, changed where a rewriter is installed that owns it.

    Raises:
        SyntaxError, ValueError: there is no code in it.
    """
    if _installed.transformers and _installed.owns(path):
        try:
            tree: Any = ast.parse(source, path)
            for make in _installed.transformers:
                tree = make(path).visit(tree)
            return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            pass  # Python is to say itself what it cannot read
        except Exception as error:
            _installed.failed(error)
    return compile(source, path, "exec", dont_inherit=True)


def names() -> dict[str, Any]:
    """What the changed code finds among its globals."""
    return dict(_installed.names)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the project under its real path; without the bytecode cache, which is not ours.

    `text` stands in the place of what the file holds, None for a file as it is.
    """

    def __init__(self, name: str, path: str, text: str | None = None) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> types.CodeType:
        """Compile the text."""
        return compiled(self.get_data(self.path) if self._text is None else self._text, self.path)

    def get_source(self, fullname: str) -> str | None:
        """The text, as it was written."""
        return super().get_source(fullname) if self._text is None else self._text

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the code, which finds its names."""
        vars(module).update(names())
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec of a module of the project with another loader; None for all others."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not self._rewriter.owns(spec.origin):
            return None
        if type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        spec.loader = Loader(fullname, spec.origin)
        return spec


def dotted(node: ast.AST) -> list[str]:
    """The names of which a called or decorating expression consists: `a.b(c)(d)` gives a, b."""
    while isinstance(node, ast.Call):
        node = node.func
    found: list[str] = []
    while isinstance(node, ast.Attribute):
        found.append(node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(found)]


def _compiles(node: ast.AST) -> bool:
    return not _COMPILERS.isdisjoint(dotted(node))


def _handed_over(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _compiles(node.func):
            yield from (value.id for value in node.args if isinstance(value, ast.Name))
