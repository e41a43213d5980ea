"""Starts a script as `python script.py` or `python -m module` would, from possibly edited text."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import io
import linecache
import multiprocessing.util
import os
import re
import sys
import types
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from memlint.runtime import spec as specs
from memlint.runtime import start
from memlint.runtime.child.containment import os_functions, writers
from memlint.runtime.child.containment.sandbox import Sandbox
from memlint.runtime.child.limits import rewrite
from memlint.runtime.child.reached import Reached
from memlint.runtime.spec import Spec

_SYSTEM = re.compile(r"__\w+__$")
_OF_SCRIPTS = re.compile(r"from multiprocessing\.(spawn|forkserver) import ")
"""How the code of those helpers of multiprocessing begins in which code of the script runs."""


class _OverlayFinder(importlib.abc.MetaPathFinder):
    """Swaps the loader of modules whose file is in the overlay."""

    def __init__(self, overlay: Mapping[str, str]) -> None:
        self._overlay = overlay

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec with another loader, or None to let the import go its ordinary way."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or spec.origin not in self._overlay:
            return None
        spec.loader = rewrite.Loader(fullname, spec.origin, self._overlay[spec.origin])
        return spec


def overlay(texts: Mapping[str, str]) -> None:
    """Make imports, tracebacks and inspect.getsource see `texts` (absolute path to text)."""
    if not texts:
        return
    sys.meta_path.insert(0, _OverlayFinder(texts))
    real = io.open_code

    def open_code(path: str) -> Any:
        # A spawned process reads the script that way, to find in it what it was sent.
        return io.BytesIO(texts[path].encode("utf-8")) if path in texts else real(path)

    io.open_code = open_code
    for path, text in texts.items():
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


def pass_on(spec_file: str) -> None:
    """Let every process that multiprocessing spawns, and its fork server, begin with `adopt`."""
    util: Any = multiprocessing.util
    real = util.spawnv_passfds
    first = start.code(f"from memlint.runtime.child.launch import adopt; adopt({spec_file!r}); del adopt")

    def spawn(path: Any, words: Sequence[Any], descriptors: Any) -> Any:
        words = list(words)
        code = words.index("-c") + 1 if "-c" in words else 0
        if code and _OF_SCRIPTS.match(words[code]):
            words[code] = f"{first}; {words[code]}"
        return real(path, words, descriptors)

    util.spawnv_passfds = spawn


def adopt(spec_file: str) -> None:
    """Be in this process what the replay is in the one that spawned it.

    It sees the edited text, says which lines it reaches, and writes into the scratch tree.
    """
    spec = specs.read(Path(spec_file))
    overlay(spec.overlay)
    watch(spec, main=0).install()
    if spec.scratch:
        sys.dont_write_bytecode = True
        contain(spec)


def watch(spec: Spec, main: int) -> Reached:
    """What watches the lines of the spec; `main` is the process that runs the script itself."""
    return Reached(spec.watch, f"{spec.result}.reached", main)


def contain(spec: Spec) -> Sandbox:
    """Send what this process writes into the scratch tree of the spec."""
    shared = (spec.exchange,) if spec.exchange else ()
    box = Sandbox(spec.scratch, (spec.result, spec.temporary, spec.extensions, *shared), spec.peers)
    writers.contain(box)
    os_functions.contain(box)
    box.watch()
    return box


def load(spec: Spec) -> tuple[types.CodeType, dict[str, Any]]:
    """The target's code, and the namespace of the `__main__` that is to run it.

    Raises:
        ImportError: `-m` names no module that can be run.
        OSError, SyntaxError, ValueError: there is no code to run.
    """
    module = types.ModuleType("__main__")
    names = module.__dict__
    # What this version of Python gives every script, it has given the file that began this process.
    given = vars(sys.modules["__main__"])
    names.update((name, given[name]) for name in given if _SYSTEM.match(name))
    names.update({"__doc__": None, **({"__annotations__": {}} if "__annotations__" in names else {})})
    sys.modules["__main__"] = module
    if not sys.flags.safe_path:
        folder = spec.folder if spec.is_module else os.path.dirname(os.path.realpath(spec.target))
        sys.path.insert(0, folder)
        _make_way(folder)
    if spec.is_module:
        sys.argv[:] = ["-m", *spec.arguments[1:]]
        code, path = _find_module(spec.target, names)
        sys.argv[0] = path
    else:
        path = spec.target
        sys.argv[:] = spec.arguments
        text = spec.overlay.get(path)
        code = rewrite.compiled(text if text is not None else Path(path).read_bytes(), path)
        loader = importlib.machinery.SourceFileLoader if text is None else partial(rewrite.Loader, text=text)
        names["__loader__"] = loader("__main__", path)
    names["__file__"] = path
    names.update(rewrite.names())
    sys.orig_argv[1:] = ["-m", *spec.arguments] if spec.is_module else spec.arguments
    return code, names


def _make_way(folder: str) -> None:
    """Forget modules of Python's library that torch has imported, where the script has its own of that name.

    Of those that every start of Python imports, which are frozen, a script never gets its own.
    """
    beside = {entry.partition(".")[0] for entry in os.listdir(folder)}
    for name in beside & sys.stdlib_module_names & sys.modules.keys():
        known = sys.modules[name].__spec__
        found = importlib.machinery.PathFinder.find_spec(name, [folder])
        if known is not None and known.has_location and found is not None and found.has_location:
            for other in [other for other in sys.modules if other.partition(".")[0] == name]:
                del sys.modules[other]


def _find_module(name: str, names: dict[str, Any]) -> tuple[types.CodeType, str]:
    found = importlib.util.find_spec(name)
    if found is not None and found.submodule_search_locations is not None:
        name = f"{name}.__main__"
        found = importlib.util.find_spec(name)
    if found is None or found.loader is None or found.origin is None:
        raise ImportError(f"no module named {name}", name=name)
    loader: Any = found.loader
    names.update(__spec__=found, __package__=found.parent, __loader__=loader, __cached__=found.cached)
    return loader.get_code(name), found.origin
