"""Functions that open files in native code, sent through the sandbox: torch, safetensors, HDF5 and others.

What is not named here the kernel refuses to write outside of the scratch tree (see `landlock`): then a
script can fail, but nothing of the user's is overwritten.
"""

from __future__ import annotations

import functools
import importlib.machinery
import inspect
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from memlint.runtime.child.containment.sandbox import Sandbox

_IN_MEMORY = ("", ":memory:")
_JOURNALS = ("-wal", "-journal")


@dataclass(frozen=True, slots=True)
class Opener:
    """A function (its dotted name in its module) that opens the file named by an argument.

    `path` is that argument's position and name. `mode` is "r" or "w", or the position and the name of the
    argument that says so, whose default is "r".
    """

    function: str
    path: tuple[int, str]
    mode: str | tuple[int, str] = "w"

    def mode_of(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """What a call does with the file: a mode as of `open`."""
        if isinstance(self.mode, str):
            return self.mode
        position, name = self.mode
        mode = args[position] if position < len(args) else kwargs.get(name, "r")
        return mode if isinstance(mode, str) else "r"


OPENERS: Mapping[str, tuple[Opener, ...]] = {
    "torch": (
        Opener("save", (1, "f")),
        Opener("load", (0, "f"), "r"),
        Opener("serialization.save", (1, "f")),
        Opener("serialization.load", (0, "f"), "r"),
        Opener("jit.load", (0, "f"), "r"),
        Opener("jit.RecursiveScriptModule.save", (1, "f")),
        Opener("export.save", (1, "f")),
        Opener("export.load", (0, "f"), "r"),
        Opener("autograd.profiler.profile.export_chrome_trace", (1, "path")),
    ),
    "torch.package.package_exporter": (Opener("PackageExporter.__init__", (1, "f")),),
    "torch.package.package_importer": (Opener("PackageImporter.__init__", (1, "file_or_buffer"), "r"),),
    "safetensors": (Opener("safe_open", (0, "filename"), "r"), Opener("serialize_file", (1, "filename"))),
    "tokenizers": (Opener("Tokenizer.save", (1, "path")), Opener("Tokenizer.from_file", (0, "path"), "r")),
    "h5py._hl.files": (Opener("File.__init__", (1, "name"), (2, "mode")),),
    "tables.file": (Opener("File.__init__", (1, "filename"), (2, "mode")),),
    "pyarrow.lib": (
        Opener("OSFile", (0, "path"), (1, "mode")),
        Opener("memory_map", (0, "path"), (1, "mode")),
    ),
    "pyarrow.parquet.core": (
        Opener("ParquetWriter.__init__", (1, "where")),
        Opener("ParquetFile.__init__", (1, "source"), "r"),
        Opener("read_table", (0, "source"), "r"),
    ),
    "soundfile": (Opener("SoundFile.__init__", (1, "file"), (2, "mode")),),
    "cv2": (Opener("imwrite", (0, "filename")), Opener("imread", (0, "filename"), "r")),
}
"""By module: the functions whose file goes through the sandbox as soon as the module is there."""


def contain(box: Sandbox) -> None:
    """Redirect the openers of each module, now where it is imported already, else once it is."""
    later: dict[str, Callable[[Any], None]] = {}
    for name in OPENERS.keys() | _SPECIAL.keys():
        redirect = partial(_redirect, box, OPENERS.get(name, ()), _SPECIAL.get(name))
        if name in sys.modules:
            redirect(sys.modules[name])
        else:
            later[name] = redirect
    sys.meta_path.insert(0, _AfterImport(later))


def _redirect(
    box: Sandbox, openers: Sequence[Opener], special: Callable[[Sandbox, Any], None] | None, module: Any
) -> None:
    for opener in openers:
        *holders, name = opener.function.split(".")
        holder = module
        for each in holders:
            holder = getattr(holder, each, None)
        # Other versions of a library may lack what this one has.
        if hasattr(holder, name):
            is_static = isinstance(inspect.getattr_static(holder, name), staticmethod)
            contained = _contained(box, getattr(holder, name), opener)
            setattr(holder, name, staticmethod(contained) if is_static else contained)
    if special is not None:
        special(box, module)


def _contained(box: Sandbox, real: Callable[..., Any], opener: Opener) -> Callable[..., Any]:
    position, name = opener.path

    @functools.wraps(real, updated=())
    def contained(*args: Any, **kwargs: Any) -> Any:
        mode = opener.mode_of(args, kwargs)
        # What must not exist yet ("x") has to fail as it would have, so it is copied too.
        keep = mode not in ("w", "wb")
        redirect = box.for_reading if mode in ("r", "rb") else partial(box.for_writing, keep=keep)
        if name in kwargs:
            kwargs[name] = redirect(kwargs[name])
        elif position < len(args):
            args = (*args[:position], redirect(args[position]), *args[position + 1 :])
        return real(*args, **kwargs)

    return contained


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


def _lmdb(box: Sandbox, module: Any) -> None:
    real = module.Environment

    def environment(path: Any, *args: Any, **kwargs: Any) -> Any:
        found = box.for_reading(path)
        if os.path.exists(path) and not box.is_free(os.fsdecode(found)):
            # A data set of any size, most often opened as if to write though it is only read.
            return real(path, *args, **{**kwargs, "readonly": True, "lock": False})
        return real(box.for_writing(path, keep=False), *args, **kwargs)

    module.Environment = module.open = environment


def _wandb(box: Sandbox, module: Any) -> None:
    real = module.init

    def init(*args: Any, **kwargs: Any) -> Any:
        # The environment says so already, but a script that asks by name goes before it.
        if kwargs.get("mode") == "online":
            kwargs["mode"] = os.environ.get("WANDB_MODE", "offline")
        return real(*args, **kwargs)

    module.init = init


_SPECIAL: Mapping[str, Callable[[Sandbox, Any], None]] = {
    "sqlite3.dbapi2": _sqlite,
    "lmdb": _lmdb,
    "wandb": _wandb,
}
"""By module: what is done to it beyond its openers."""
