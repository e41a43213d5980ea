"""Writers that open files in native code, sent through the sandbox: torch, safetensors, SQLite."""

from __future__ import annotations

import importlib.machinery
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from memlint.runtime.sandbox import Sandbox

Redirect = Callable[[Sandbox, Any], None]
_IN_MEMORY = ("", ":memory:")
_JOURNALS = ("-wal", "-journal")


def contain(box: Sandbox) -> None:
    """Redirect the writers of each module, now where it is imported already, else once it is."""
    later: dict[str, Callable[[Any], None]] = {}
    for name, redirect in WRITERS.items():
        if name in sys.modules:
            redirect(box, sys.modules[name])
        else:
            later[name] = partial(redirect, box)
    sys.meta_path.insert(0, _AfterImport(later))


class _AfterImport:
    """Finds modules as usual, and has something done to some of them as soon as they are executed."""

    def __init__(self, wanted: Mapping[str, Callable[[Any], None]]) -> None:
        self._wanted = wanted

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec, or None to let the import go its ordinary way."""
        then = self._wanted.get(fullname)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target) if then else None
        if then is None or spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            then(module)

        loader.exec_module = exec_module
        return spec


def _torch(box: Sandbox, torch: Any) -> None:
    torch.save = torch.serialization.save = _second_argument(box, torch.save)
    torch.load = torch.serialization.load = _first_argument(box, torch.load)
    torch.jit.load = _first_argument(box, torch.jit.load)
    torch.jit.RecursiveScriptModule.save = _second_argument(box, torch.jit.RecursiveScriptModule.save)
    torch.export.save = _second_argument(box, torch.export.save)
    torch.export.load = _first_argument(box, torch.export.load)


def _safetensors(box: Sandbox, module: Any) -> None:
    module.serialize_file = _second_argument(box, module.serialize_file)


def _second_argument(box: Sandbox, real: Callable[..., Any]) -> Callable[..., Any]:
    def contained(obj: Any, f: Any = None, *args: Any, **kwargs: Any) -> Any:
        if f is None:
            f = kwargs.pop("filename")
        return real(obj, box.for_writing(f, keep=False), *args, **kwargs)

    return contained


def _first_argument(box: Sandbox, real: Callable[..., Any]) -> Callable[..., Any]:
    def contained(f: Any, *args: Any, **kwargs: Any) -> Any:
        return real(box.for_reading(f), *args, **kwargs)

    return contained


def _sqlite(box: Sandbox, module: Any) -> None:
    real = module.connect

    def connect(database: Any, *args: Any, **kwargs: Any) -> Any:
        return real(_database(box, database, uri=kwargs.get("uri", False)), *args, **kwargs)

    # The package has copied the name already where it was imported before.
    module.connect = sys.modules["sqlite3"].connect = connect  # type: ignore[attr-defined]


def _database(box: Sandbox, database: Any, *, uri: bool) -> Any:
    """Where the scratch tree keeps a database, copied there with its journals."""
    text = os.fsdecode(database)
    if text in _IN_MEMORY:
        return database
    if not (uri and text.startswith("file:")):
        return _copied(box, text)
    parts = urlsplit(text)
    if parts.path in _IN_MEMORY or parse_qs(parts.query).get("mode") == ["memory"]:
        return database
    return f"file:{_copied(box, unquote(parts.path))}{'?' if parts.query else ''}{parts.query}"


def _copied(box: Sandbox, path: str) -> Any:
    for journal in filter(os.path.exists, (path + ending for ending in _JOURNALS)):
        box.for_writing(journal, keep=True)
    try:
        return box.for_writing(path, keep=True)
    except FileNotFoundError:
        # No such folder: SQLite says so in its own words.
        return path


WRITERS: Mapping[str, Redirect] = {
    "torch": _torch,
    "safetensors.torch": _safetensors,
    "sqlite3.dbapi2": _sqlite,
}
"""What is done to a module so that its writers go through the sandbox."""
