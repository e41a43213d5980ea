"""Magics, shell lines and help in the cells of a notebook."""

from __future__ import annotations

import pytest

from memlint.errors import SourceError
from memlint.source import magics
from tests.notebooks import (
    module,
)


def masked(source: str) -> list[str]:
    """The cell without the comments that tell masked lines apart."""
    found = magics.mask(source.split("\n"), "key")
    assert found is not None
    return [line.partition("# key")[0].rstrip() for line in found.lines]


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline", "get_ipython()"),
        ("!pip install {name}==$version", "get_ipython(name, version)"),
        ("!!ls", "get_ipython()"),
        ("?print", "get_ipython()"),
        ("model.fit??", "get_ipython()"),
        ("%timeit?", "get_ipython()"),
        ("files = !ls *.pt", "files = get_ipython()"),
        ("a, b = %who_ls int float", "a, b = get_ipython()"),
        ("    !nvidia-smi", "    get_ipython()"),
        ("%time x = f(y)", "0;    x = f(y)"),
        ("  %timeit -n 10 -r3 f(x)", "  0;" + " " * 16 + "f(x)"),
        ("out = %time f(x)", "out =       f(x)"),
        ("%time", "get_ipython()"),
        ("%time for x in y: z(x)", "get_ipython()"),
        ("/f 1 2", "get_ipython()"),
        ("%%time\nf(x)", "get_ipython()\nf(x)"),
        ("!ls \\\n  -l\nx = 1", "get_ipython()\n\nx = 1"),
        ("x = (a\n% b)\n%cd ..", "x = (a\n% b)\nget_ipython()"),
        ("x = '''\n%cd ..\n'''\n%cd ..", "x = '''\n%cd ..\n'''\nget_ipython()"),
        ("x = a \\\n% b", "x = a \\\n% b"),
        ("x = '%d' % y  # (\n!ls", "x = '%d' % y  # (\nget_ipython()"),
        ("s = 'a = !b'", "s = 'a = !b'"),
        ("if a != b: pass", "if a != b: pass"),
        ("x = y % 3 or '\\'['\n!ls", "x = y % 3 or '\\'['\nget_ipython()"),
    ],
)
def test_magics_become_python_in_the_same_columns(source: str, python: str) -> None:
    assert "\n".join(masked(source)) == python


@pytest.mark.parametrize(
    "magic", ["bash", "writefile a.py", "html", "cython", "R -i x", "unheard_of", "!ls", ""]
)
def test_cells_of_other_languages_are_left_out(magic: str) -> None:
    assert magics.mask([f"%%{magic}", "x = 1"], "key") is None


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("pip install torch\nls data\nx = 1", 1),
        ("    x = 1\n    y = 2", 1),
        ("await f()\nasync for x in y:\n    pass\nasync with a:\n    pass", 1),
        ("from __future__ import annotations", 1),
        (">>> x = 1\n>>> y", 0),
        ("", 1),
    ],
)
def test_what_ipython_runs_is_no_syntax_error(source: str, count: int) -> None:
    found = module("import torch", source)
    assert len(found.parts) == 1 + count
    assert not found.unreadable
    assert magics.parses(found.text)


def test_the_module_gives_the_cells_back() -> None:
    found = module("%cd ..\nx = 1\n", "%%time\ny = 2", "# memlint-cell 1", "")
    assert found.encode(found.text) == found.json.encode()
    assert [path for path, _, _ in found.changes(found.text.replace("y = 2", "y = 3"))] == ["nb.ipynb:cell 2"]
    for touched in ("", "z = 1\n" + found.text, found.text.replace("get_ipython()", "pass")):
        with pytest.raises(SourceError):
            found.encode(touched)
