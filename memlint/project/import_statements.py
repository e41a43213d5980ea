"""Files as text, without a syntax tree: what their import statements name, and which files name what."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from memlint.source.files import is_project

_SKIPPED = frozenset("node_modules site-packages __pycache__ build dist venv".split())
_IMPORT = re.compile(
    rb"[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))"
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_DOTTED = re.compile(rb"[\w.]+")


def imports_of(path: Path) -> list[str]:
    """The dotted paths that the import statements of a file name, wherever they stand, and a few more."""
    found: list[bytes] = []
    for module, names, plain in _statements(_data(path)):
        dot = b"" if not module or module.endswith(b".") else b"."
        found += [module + dot + name for name in _DOTTED.findall(names if module else plain)] or [module]
    return [name.decode("utf-8", "replace") for name in found]


def files_by_imported_word(root: Path) -> dict[str, list[Path]]:
    """The Python files below a folder whose import statements have a word, by that word."""
    index: dict[str, list[Path]] = {}
    for path in sorted(_files(root)):
        words = {w for groups in _statements(_data(path)) for part in groups for w in _WORD.findall(part)}
        for word in words:
            index.setdefault(word.decode("ascii"), []).append(path)
    return index


def files_with_method(root: Path, name: str) -> list[Path]:
    """The Python files below a folder that may define a function of a name, or use a method of that name."""
    wanted = (f"def {name}(".encode(), f".{name}".encode())
    found: list[Path] = []
    for path in sorted(_files(root)):
        data = _data(path)
        if any(text in data for text in wanted):
            found.append(path)
    return found


def _data(path: Path) -> bytes:
    """What a file holds; nothing where it cannot be read, or is a pipe, which would be waited for."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


def _statements(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The import statements of a file: what `from` names, what it takes from there, what `import` names.

    A pattern is held against lines with that word alone, which is five times as fast as to search with it.
    """
    line = 0
    while (found := data.find(b"import", line)) >= 0:
        match = _IMPORT.match(data, data.rfind(b"\n", line, found) + 1 or line)
        if match is not None:
            yield match[1] or b"", match[2] or b"", match[3] or b""
        line = data.find(b"\n", found if match is None else match.end()) + 1
        if not line:
            return


def _files(root: Path) -> Iterator[Path]:
    """The Python files below the root; a folder that cannot be read, or goes meanwhile, has none.

    Another repository below it is left out, and where the root is no project itself (a script at home, beside
    all that lies there), so is every project.
    """
    marks = {".git"} if is_project(root) else {".git", "pyproject.toml"}
    for folder, below, names in os.walk(root):
        if folder != str(root) and not marks.isdisjoint([*below, *names]):
            below.clear()
            continue
        below[:] = [name for name in below if not name.startswith(".") and name not in _SKIPPED]
        yield from (Path(folder, n) for n in names if n.endswith(".py") and not n.startswith("."))
